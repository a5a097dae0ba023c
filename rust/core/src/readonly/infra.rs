//! Readers of containers, clusters, clouds and code hosting.

use super::Why;
use super::programs::refused;
use super::table::{Operands, Program, Reader};
use crate::shell::Word;
use crate::shell::options::{self, Scanned, Value};

/// Programs with sub-commands.
pub(super) const PROGRAMS: &[Program] = &[
    Program { names: "docker|podman|nerdctl", options: "--context: -D --debug" },
    Program {
        names: "docker container|docker image|docker volume|docker network|docker system|docker context|docker buildx|docker plugin|\
                docker node|docker service|docker stack|docker manifest|podman container|podman image|podman volume|podman network|\
                podman system|podman pod",
        options: "",
    },
    Program {
        names: "docker compose|docker-compose|podman compose",
        options: "-f: -p: --file: --project-name: --profile: --project-directory: --ansi:",
    },
    Program {
        names: "kubectl|oc",
        options: "-n: -A --namespace: --context: --cluster: --request-timeout: -v: --all-namespaces",
    },
    Program {
        names: "kubectl config|kubectl auth|kubectl rollout|kubectl top|kubectl plugin|oc config|oc auth|oc rollout",
        options: "-n: --namespace:",
    },
    Program { names: "helm", options: "-n: --namespace: --kube-context:" },
    Program {
        names: "helm get|helm show|helm search|helm repo|helm dependency|helm dep|helm plugin",
        options: "-n: --namespace:",
    },
    Program { names: "terraform|tofu", options: "nobundle -chdir:" },
    Program { names: "terraform state|terraform workspace|tofu state|tofu workspace", options: "" },
    Program { names: "gh|glab", options: "-R: --repo:" },
    Program {
        names: "gh pr|gh issue|gh run|gh workflow|gh repo|gh release|gh gist|gh label|gh secret|gh variable|gh cache|gh auth|gh config|\
                gh extension|gh alias|gh search|gh ruleset|gh project|gh org|glab mr|glab issue|glab ci|glab repo|glab release|glab auth",
        options: "-R: --repo:",
    },
    Program { names: "redis-cli", options: "-h: -p: -n: --raw --no-auth-warning" },
];

const DOCKER: &str = "-a -f: -q -l -n: -s -t --all --filter: --format: --last: --latest --no-trunc --quiet --size --digests --tail: --since: \
     --until: --timestamps --details --follow --type: --human --no-stream --services --volumes --images --profiles --hash: --orphans --status: \
     --dry-run --no-interpolate --no-color --no-log-prefix --verbose --short --all-resources --external -v";

const KUBECTL: &str = "-A -c: -f: -l: -L: -n: -o: -p -R -w --all-containers --all-namespaces --as-kind: --chunk-size: --client --container: \
     --context: --cluster: --field-selector: --filename: --follow --ignore-not-found --label-columns: --limit-bytes: --max-log-requests: \
     --minify --namespace: --namespaced: --no-headers --output: --prefix --previous --recursive --request-timeout: --revision: --selector: \
     --server-print: --short --show-events: --show-kind --show-labels --show-managed-fields --since: --since-time: --sort-by: --tail: \
     --template: --timeout: --timestamps --verbs: --watch --watch-only --api-group: --api-version: --containers --sum --list --for: --types: \
     --raw --flatten --ignore-errors --use-protocol-buffers --subresource: --output-watch-events --allow-missing-template-keys";

const GH: &str = "-a: -A: -b: -B: -c -e: -F? -H: -j: -L: -l: -q: -r: -R: -s: -S: -t: -u: --active --all --app: --archived --assignee: --attempt: --author: \
     --base: --branch: --color: --comments --commit: --created: --draft --env: --event: --exclude-drafts --exclude-pre-releases --exit-status \
     --fork --head: --hostname: --interval: --job: --jq: --json: --key: --label: --language: --limit: --log --log-failed --match: --mention: \
     --merged --milestone: --name-only --no-archived --order: --org: --owner: --patch --public --ref: --repo: --required --review: --search: \
     --secret --sort: --source --state: --status: --template: --topic: --updated: --user: --verbose --visibility: --workflow: --yaml --files \
     --filename: --raw --extension: --fail-fast --watch --closed --number: --project: --include-prs --checks: --cwe: --kind: -w";

/// The tools.
pub(super) const READERS: &[Reader] = &[
    Reader {
        commands: "docker ps|docker images|docker inspect|docker logs|docker version|docker info|docker top|docker port|docker diff|\
                   docker history|docker stats|docker events|docker search|docker container ls|docker container list|docker container ps|\
                   docker container inspect|docker container logs|docker container top|docker container stats|docker image ls|\
                   docker image list|docker image inspect|docker image history|docker volume ls|docker volume inspect|docker network ls|\
                   docker network inspect|docker system df|docker system info|docker context ls|docker context show|\
                   docker context inspect|docker buildx ls|docker buildx inspect|docker plugin ls|docker node ls|docker service ls|\
                   docker service ps|docker service logs|docker service inspect|docker stack ls|docker stack ps|docker manifest inspect|\
                   docker compose ps|docker compose logs|docker compose config|docker compose images|docker compose ls|\
                   docker compose top|docker compose version|docker compose port|docker compose events|docker-compose ps|\
                   docker-compose logs|docker-compose config|docker-compose images|docker-compose top|docker-compose version|\
                   podman ps|podman images|podman inspect|podman logs|podman version|podman info|podman top|podman port|podman diff|\
                   podman history|podman stats|podman container ls|podman image ls|podman volume ls|podman network ls|podman pod ps|\
                   podman system df|nerdctl ps|nerdctl images|nerdctl inspect|nerdctl logs|podman compose ps",
        options: DOCKER,
        operands: Operands::Any,
        yes: &[
            "docker ps -a",
            "docker logs --tail 5 x",
            "docker compose -f a.yml ps",
            "docker image ls",
            "docker inspect -f '{{.Id}}' x",
        ],
        no: &[
            "docker run x",
            "docker rm x",
            "docker compose up",
            "docker system prune -f",
            "docker -H tcp://h ps",
            "docker --config x ps",
            "docker compose config -o x",
            "docker exec x ls",
        ],
    },
    Reader {
        commands: "kubectl get|kubectl describe|kubectl logs|kubectl explain|kubectl api-resources|kubectl api-versions|kubectl version|\
                   kubectl events|kubectl options|kubectl top pod|kubectl top pods|kubectl top node|kubectl top nodes|kubectl config view|\
                   kubectl config get-contexts|kubectl config current-context|kubectl config get-clusters|kubectl config get-users|\
                   kubectl auth can-i|kubectl auth whoami|kubectl rollout status|kubectl rollout history|kubectl plugin list|\
                   oc get|oc describe|oc logs|oc explain|oc version|oc whoami|oc status|oc projects|oc config view|oc rollout status",
        options: KUBECTL,
        operands: Operands::Any,
        yes: &[
            "kubectl get pods -n x -o wide",
            "kubectl -n x describe pod y",
            "kubectl logs -f x --tail=9",
            "kubectl config current-context",
        ],
        no: &[
            "kubectl apply -f a",
            "kubectl -n x delete pod y",
            "kubectl --kubeconfig x get pods",
            "kubectl get pods --profile=cpu --profile-output=p",
            "kubectl exec x -- ls",
            "kubectl config use-context x",
            "kubectl rollout restart x",
        ],
    },
    Reader {
        commands: "kubectl cluster-info",
        options: "--context: -n:",
        operands: Operands::AtMost(0),
        yes: &["kubectl cluster-info"],
        no: &["kubectl cluster-info dump --output-directory=x", "kubectl cluster-info dump"],
    },
    Reader {
        commands: "helm list|helm ls|helm status|helm history|helm version|helm env|helm get values|helm get manifest|helm get all|\
                   helm get notes|helm get hooks|helm get metadata|helm show chart|helm show values|helm show readme|helm show all|\
                   helm search repo|helm search hub|helm repo list|helm dependency list|helm dep list|helm plugin list|helm template|helm lint",
        options: "-a -A -f: -l -n: -o: -q -s: --all --all-namespaces --debug --filter: --include-crds --kube-context: --max: --namespace: \
                  --no-headers --output: --repo: --revision: --set: --set-string: --short --show-only: --values: --version: --versions --strict --devel",
        operands: Operands::Any,
        yes: &["helm list -A", "helm get values x", "helm template ./c --set a=b"],
        no: &[
            "helm install x y",
            "helm template x --output-dir d",
            "helm template x --post-renderer ./y",
            "helm --kubeconfig x list",
            "helm repo add a b",
        ],
    },
    Reader {
        commands: "terraform version|terraform show|terraform output|terraform providers|terraform graph|terraform validate|\
                   terraform state list|terraform state show|terraform state pull|terraform workspace list|terraform workspace show|\
                   tofu version|tofu show|tofu output|tofu providers|tofu validate|tofu state list|tofu state show|tofu workspace list",
        options: "nobundle -json -no-color -raw -id: -state: -type: -plan:",
        operands: Operands::Check(|scanned| {
            !matches!(scanned.operand(0), Some("lock" | "mirror")) && !scanned.has("-plan")
        }),
        yes: &["terraform output -json", "terraform state list", "terraform -chdir=x show"],
        no: &[
            "terraform apply",
            "terraform state rm x",
            "terraform workspace new x",
            "terraform providers lock",
            "terraform init",
        ],
    },
    Reader {
        commands: "terraform fmt|tofu fmt",
        options: "nobundle -check -diff -recursive -list: -no-color",
        operands: Operands::With("-check"),
        yes: &["terraform fmt -check -recursive"],
        no: &["terraform fmt", "terraform fmt -diff", "terraform fmt -check -write=true"],
    },
    Reader {
        commands: "gh pr view|gh pr list|gh pr status|gh pr diff|gh pr checks|gh issue view|gh issue list|gh issue status|gh run view|\
                   gh run list|gh run watch|gh workflow view|gh workflow list|gh repo view|gh repo list|gh release view|gh release list|\
                   gh gist view|gh gist list|gh label list|gh secret list|gh variable list|gh variable get|gh cache list|gh config get|\
                   gh config list|gh extension list|gh alias list|gh search repos|gh search issues|gh search prs|gh search code|\
                   gh search commits|gh ruleset list|gh ruleset view|gh project list|gh project view|gh org list|gh status|gh version|\
                   glab mr list|glab mr view|glab mr diff|glab issue list|glab issue view|glab ci list|glab ci status|glab repo view|\
                   glab release list",
        options: GH,
        operands: Operands::Check(|scanned| !scanned.has("-w")),
        yes: &[
            "gh pr view 12 --json state -q .state",
            "gh -R a/b pr list -L 5",
            "gh run view 1 --log-failed",
            "gh issue list --state open",
        ],
        no: &[
            "gh pr create --fill",
            "gh pr view --web",
            "gh pr view -w",
            "gh issue close 1",
            "gh release download x",
            "gh alias set x y",
            "gh config set editor x",
            "gh pr checkout 1",
        ],
    },
    Reader {
        commands: "gh auth status|glab auth status",
        options: "-h: -a --hostname: --active",
        operands: Operands::AtMost(0),
        yes: &["gh auth status"],
        no: &["gh auth login", "gh auth logout", "gh auth setup-git"],
    },
    Reader {
        commands: "aws",
        options: "--query: --output: --region: --profile: --max-items: --page-size: --no-paginate --no-cli-pager --filters: --instance-ids: \
                  --stack-name: --cluster: --services: --log-group-name: --log-group-name-prefix: --log-stream-name: --prefix: --bucket: --name: \
                  --names: --function-name: --table-name: --db-instance-identifier: --recursive --human-readable --summarize --start-time: \
                  --end-time: --owners: --image-ids: --role-name: --user-name: --key-id: --secret-id: --delimiter: --limit:",
        operands: Operands::Check(reads_aws),
        yes: &[
            "aws s3 ls s3://a",
            "aws ec2 describe-instances --region x",
            "aws sts get-caller-identity",
            "aws iam list-users",
        ],
        no: &[
            "aws s3 rm s3://a/b",
            "aws s3 cp a b",
            "aws s3api get-object --bucket b --key k out",
            "aws eks update-kubeconfig --name x",
            "aws sqs receive-message --queue-url u",
            "aws configure set a b",
        ],
    },
    Reader {
        commands: "gcloud|az",
        options: "--format: --project: --filter: --limit: --region: --zone: --location: -o: --output: --query: -g: --resource-group: -n: --name: --sort-by: --uri --quiet",
        operands: Operands::Check(reads_cloud),
        yes: &[
            "gcloud config list",
            "gcloud compute instances list --format json",
            "az account show",
            "az vm list -o table",
        ],
        no: &[
            "gcloud compute instances delete x",
            "gcloud compute ssh list",
            "gcloud config set a b",
            "az vm delete -n list",
            "az login",
        ],
    },
    Reader {
        commands: "redis-cli ping|redis-cli info|redis-cli get|redis-cli keys|redis-cli dbsize|redis-cli ttl|redis-cli type|redis-cli exists|\
                   redis-cli llen|redis-cli lrange|redis-cli hgetall|redis-cli hget|redis-cli smembers|redis-cli PING|redis-cli INFO|\
                   redis-cli GET|redis-cli KEYS|redis-cli DBSIZE|redis-cli TTL|redis-cli TYPE|redis-cli LLEN|redis-cli LRANGE|redis-cli HGETALL",
        options: "",
        operands: Operands::Any,
        yes: &["redis-cli -p 6380 get a", "redis-cli info memory"],
        no: &["redis-cli flushall", "redis-cli set a b", "redis-cli --eval x", "redis-cli --rdb f"],
    },
    Reader {
        commands: "psql",
        options: "-l -h: -p: -U: -d: -X -w -q --list --host: --port: --username: --dbname: --no-psqlrc",
        operands: Operands::Check(|scanned| scanned.has("-l --list") && scanned.operands.is_empty()),
        yes: &["psql -l", "psql -h h -U u -l"],
        no: &["psql -c 'select 1'", "psql -f a.sql", "psql -l -o x", "psql"],
    },
];

/// `aws SERVICE list-…|describe-…`; a `get-…` may write its answer to a file.
fn reads_aws(scanned: &Scanned) -> bool {
    let (Some(service), Some(verb)) = (scanned.operand(0), scanned.operand(1)) else { return false };
    let lists = (verb.starts_with("list-") || verb.starts_with("describe-")) && scanned.operands.len() == 2;
    lists || matches!((service, verb), ("s3", "ls") | ("sts", "get-caller-identity"))
}

/// Full paths of sub-commands that list or describe.
fn reads_cloud(scanned: &Scanned) -> bool {
    const PATHS: &[&str] = &[
        "config list",
        "config get-value",
        "auth list",
        "projects list",
        "projects describe",
        "info",
        "version",
        "services list",
        "compute instances list",
        "compute instances describe",
        "compute zones list",
        "compute regions list",
        "container clusters list",
        "container clusters describe",
        "run services list",
        "run services describe",
        "functions list",
        "sql instances list",
        "storage buckets list",
        "account show",
        "account list",
        "group list",
        "group show",
        "vm list",
        "vm show",
        "aks list",
        "aks show",
        "acr list",
        "webapp list",
        "storage account list",
        "resource list",
    ];
    let words: Option<Vec<&str>> = scanned.operands.iter().map(|word| word.literal()).collect();
    let Some(words) = words else { return false };
    PATHS.iter().any(|path| {
        let path: Vec<&str> = path.split(' ').collect();
        words.starts_with(&path)
    })
}

/// A request to GitHub's API is a read only when it is a GET without a body.
pub(super) fn judge_gh_api(arguments: &[Word]) -> Result<(), Why> {
    const API: &str = "-q: -t: -H: -i -X: -f: -F: -p: --jq: --template: --header: --include --method: --paginate --slurp --silent --preview: \
         --hostname: --field: --raw-field: --verbose";
    let arguments = arguments.get(1..).unwrap_or_default();
    let scanned = options::scan(API, arguments).map_err(|refusal| refused("gh api", refusal))?;
    let explicit_get = scanned.has("-X --method")
        && scanned.values("-X --method").all(|method| method == Value::Text("GET"));
    let other_method = scanned.has("-X --method") && !explicit_get;
    let fields = scanned.has("-f -F --field --raw-field");
    let override_header = scanned.values("-H --header").any(|header| match header {
        Value::Text(text) => text.to_ascii_lowercase().contains("method"),
        Value::Unknown | Value::Absent => true,
    });
    let path = scanned.operands.len() == 1 && scanned.operand(0).is_some_and(|path| path != "graphql");
    if path && !other_method && !override_header && (explicit_get || !fields) {
        Ok(())
    } else {
        Err(Why::Arguments(String::from("gh api")))
    }
}

/// What the tests run for `gh api`.
#[cfg(test)]
pub(super) const GH_API_EXAMPLES: (&[&str], &[&str]) = (
    &[
        "gh api repos/a/b --jq .name",
        "gh api --paginate repos/a/b/pulls",
        "gh api -X GET search/issues -f q=x",
    ],
    &[
        "gh api -X POST repos/a",
        "gh api repos/a -f x=y",
        "gh api repos/a --input f",
        "gh api -XDELETE repos/a",
        "gh api graphql -f query=x",
        "gh api repos/a --cache 1h",
    ],
);
