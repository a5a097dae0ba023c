//! Tools that are checks by themselves, each with the options that leave them so.

/// One tool, or one sub-command of it.
pub(super) struct Tool {
    /// `|`-separated names.
    pub(super) names: &'static str,
    /// The sub-command, or nothing.
    pub(super) verb: &'static str,
    /// Options before the sub-command.
    pub(super) global: &'static str,
    /// Options that leave it a check.
    pub(super) options: &'static str,
    /// Options after `--`, for what the tool runs; `None` when what follows is operands.
    pub(super) passed: Option<&'static str>,
    /// One of these options must be given.
    pub(super) needs: &'static str,
    /// First operands that make it something else.
    pub(super) not: &'static str,
    /// Commands that are checks through it.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the tests"))]
    pub(super) yes: &'static [&'static str],
    /// Commands that are not.
    #[cfg_attr(not(test), expect(dead_code, reason = "read by the tests"))]
    pub(super) no: &'static [&'static str],
}

const PLAIN: Tool = Tool {
    names: "",
    verb: "",
    global: "",
    options: "",
    passed: None,
    needs: "",
    not: "",
    yes: &[],
    no: &[],
};

/// Also what `PYTEST_ADDOPTS` may hold.
pub(super) const PYTEST: &str = "-# -x -q -v -s -l -k: -m: -n: -r: -p: -c: -o: -W: --tb: --maxfail: --lf --last-failed --ff --failed-first --nf --new-first \
     --sw --stepwise --stepwise-skip --cov? --cov-report? --cov-report: --cov-config: --cov-fail-under: --cov-branch --cov-append --cov-context: --no-cov \
     --no-cov-on-fail --junitxml: --junit-xml: --junit-prefix: --durations: --durations-min: --color: --capture: --no-header --no-summary --verbose --quiet \
     --verbosity: --exitfirst --strict-markers --strict-config --strict --timeout: --timeout-method: --dist: --numprocesses: --maxprocesses: --tx: --rootdir: \
     --confcutdir: --ignore: --ignore-glob: --deselect: --import-mode: --doctest-modules --doctest-glob: --doctest-continue-on-failure --asyncio-mode: \
     --disable-warnings --disable-pytest-warnings --pyargs --basetemp: --cache-clear --showlocals --no-showlocals --full-trace --fulltrace --log-level: \
     --log-cli-level: --log-cli --log-file: --log-file-level: --log-format: --log-date-format: --runslow --run-slow --slow --integration --html: \
     --self-contained-html --reruns: --reruns-delay: --only-rerun: --randomly-seed: --randomly-dont-reorganize --random-order --random-order-seed: \
     --benchmark-only --benchmark-skip --benchmark-disable --benchmark-json: --snapshot-update --inline-snapshot: --nomigrations --no-migrations --migrations \
     --reuse-db --create-db --ds: --dc: --headed --browser: --device: --forked --alluredir: --hypothesis-profile: --hypothesis-seed: \
     --hypothesis-show-statistics --override-ini: --config-file: --runxfail --force-sugar --count: --testmon --setup-show --no-loadscope-reorder --show-capture: \
     --assert: --pythonwarnings: --code-highlight: --splits: --group: --splitting-algorithm: --keep-duplicates --noconftest --sensitive-url: --require-hashes \
     --instafail --pastebin: --xfail-tb --run-integration --integration-tests --e2e --unit --run-all --mypy --ruff --flake8 --black --nbval --enable-socket \
     --disable-socket --allow-hosts: --record-mode: --vcr-record: --block-network --screenshot: --video: --tracing: --base-url:";

const GO_BUILD: &str = "nobundle -v? -race? -tags: -mod: -ldflags: -gcflags: -asmflags: -p: -trimpath? -buildvcs: -msan? -asan? -a? -x? -work? -C: -pgo: -modfile: \
     -modcacherw? -json? -installsuffix: ";

const GO_TEST: &str = "nobundle -v? -race? -tags: -mod: -ldflags: -gcflags: -asmflags: -p: -trimpath? -buildvcs: -msan? -asan? -a? -x? -work? -C: -pgo: -modfile: \
     -modcacherw? -json? -installsuffix: -short? -count: -run: -skip: -bench: -benchmem? -benchtime: -timeout: -cover? -coverprofile: -covermode: -coverpkg: \
     -parallel: -failfast? -shuffle: -cpu: -vet: -fuzz: -fuzztime: -fuzzminimizetime: -fullpath? -cpuprofile: -memprofile: -blockprofile: -mutexprofile: \
     -outputdir: -trace: -artifacts? -args -o:";

const CARGO_GLOBAL: &str =
    "-q -v -vv --quiet --verbose --locked --frozen --offline --color: --config: -Z: -C:";

const CARGO: &str = "-p: -q -v -vv -r -j: -F: -Z: --package: --workspace --all --all-targets --lib --bins --bin: --examples --example: --tests --test: --benches \
     --bench: --features: --all-features --no-default-features --release --profile: --target: --target-dir: --manifest-path: --lockfile-path: --message-format: \
     --jobs: --exclude: --doc --no-fail-fast --locked --frozen --offline --quiet --verbose --color: --keep-going --ignore-rust-version --timings? --config: \
     --future-incompat-report --compile-time-deps";

const CARGO_CLIPPY: &str = "-p: -q -v -vv -r -j: -F: -Z: --package: --workspace --all --all-targets --lib --bins --bin: --examples --example: --tests --test: \
     --benches --bench: --features: --all-features --no-default-features --release --profile: --target: --target-dir: --manifest-path: --message-format: --jobs: \
     --exclude: --no-deps --locked --frozen --offline --quiet --verbose --color: --keep-going --fix --allow-dirty --allow-staged --allow-no-vcs --config: \
     --ignore-rust-version";

const LIBTEST: &str = "-q -Z: --nocapture --no-capture --test-threads: --ignored --include-ignored --exact --skip: --quiet --show-output --color: --format: \
     --report-time? --ensure-time --shuffle --shuffle-seed: --test --exclude-should-panic --fail-fast";

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        names: "pytest|py.test",
        options: PYTEST,
        yes: &[
            "pytest",
            "pytest -xvs tests/a.py::b",
            "pytest -k 'x or y' -n auto",
            "pytest --cov=src --cov-report term",
            "pytest tests/*.py",
            "pytest -p no:cacheprovider",
        ],
        no: &[
            "pytest --collect-only",
            "pytest --co",
            "pytest -h",
            "pytest -V",
            "pytest --fixtures",
            "pytest --pdb",
            "pytest --setup-plan",
            "pytest \"$x\"",
            "pytest --unknown",
        ],
        ..PLAIN
    },
    Tool {
        names: "vitest",
        options: "-t: -c: -r: -u -p: --testNamePattern: --coverage? --coverage.enabled? --coverage.reporter: --coverage.provider: --coverage.include: \
                  --coverage.exclude: --coverage.all? --coverage.thresholds.lines: --coverage.reportsDirectory: --reporter: --run --silent? --config: --root: --dir: \
                  --bail? --bail: --changed? --environment: --globals --pool: --project: --passWithNoTests --no-color --color --outputFile? --outputFile: --update \
                  --retry: --shard: --testTimeout: --hookTimeout: --teardownTimeout: --typecheck? --typecheck.only --typecheck.enabled --no-file-parallelism \
                  --fileParallelism? --maxWorkers: --minWorkers: --maxConcurrency: --isolate? --no-isolate --no-threads --threads? --mode: --no-coverage --allowOnly \
                  --logHeapUsage --sequence.shuffle? --sequence.seed: --hideSkippedTests --expandSnapshotDiff --exclude: --no-watch --watch=false --browser? \
                  --browser.headless --no-cache --disable-console-intercept --inspect --printConsoleTrace --diff: --slowTestThreshold: --cache? --ci \
                  --poolOptions.threads.singleThread --poolOptions.forks.singleFork --poolOptions.threads.maxThreads: --api? --strict",
        not: "watch dev list init bench",
        yes: &[
            "vitest",
            "vitest run",
            "vitest run --coverage src/a.test.ts",
            "vitest related src/a.ts --run",
            "vitest --run -t 'a b'",
        ],
        no: &[
            "vitest watch", "vitest list", "vitest init", "vitest --version", "vitest bench",
            "vitest --help", "vitest --ui", "vitest --watch", "vitest list --json",
        ],
        ..PLAIN
    },
    Tool {
        names: "jest",
        options: "-i -t: -b -c: -w: -o -u -e -f --runInBand --ci --testNamePattern: --coverage? --bail? --verbose --silent --config: --colors --no-cache --cache? \
                  --maxWorkers: --testPathPattern: --testPathPatterns: --testPathIgnorePatterns: --findRelatedTests --onlyChanged --changedSince: \
                  --passWithNoTests --detectOpenHandles --forceExit --updateSnapshot --json --outputFile: --reporters: --selectProjects: --ignoreProjects: --projects: \
                  --rootDir: --roots: --runTestsByPath --testTimeout: --logHeapUsage --env: --testEnvironment: --shard: --no-coverage --collectCoverage? \
                  --collectCoverageFrom: --coverageReporters: --coverageDirectory: --coverageProvider: --coverageThreshold: --watchAll=false --watch=false --expand \
                  --errorOnDeprecated --lastCommit --testMatch: --testRegex: --seed: --randomize --showSeed --noStackTrace --useStderr --workerIdleMemoryLimit: \
                  --openHandlesTimeout: --onlyFailures --workerThreads --color --no-colors --no-watchman --all --maxConcurrency: --cacheDirectory: --setupFilesAfterEnv: \
                  --testRunner: --detectLeaks --no-silent --injectGlobals? --notify? --automock --clearMocks --resetMocks --restoreMocks --resetModules --debug",
        yes: &["jest", "jest --ci -i", "jest -t 'a && b' src/a.test.js", "jest --watchAll=false --coverage"],
        no: &[
            "jest --listTests", "jest --init", "jest --version", "jest --watch", "jest --showConfig",
            "jest --clearCache", "jest -h", "jest --watchAll",
        ],
        ..PLAIN
    },
    Tool {
        names: "tsc",
        options: "-p: -b -t: -m: -d -f --project: --build --noEmit? --noemit --strict? --skipLibCheck? --skipDefaultLibCheck? --pretty? --incremental? --tsBuildInfoFile: \
                  --target: --module: --moduleResolution: --jsx: --lib: --types: --typeRoots: --outDir: --outFile: --declaration? --declarationMap? --emitDeclarationOnly? \
                  --extendedDiagnostics? --diagnostics? --force --verbose --noErrorTruncation? --noUnusedLocals? --noUnusedParameters? --noImplicitAny? --noImplicitThis? \
                  --strictNullChecks? --esModuleInterop? --allowSyntheticDefaultImports? --allowJs? --checkJs? --resolveJsonModule? --isolatedModules? --composite? \
                  --sourceMap? --preserveWatchOutput? --rootDir: --baseUrl: --stopBuildOnErrors? --allowImportingTsExtensions? --exactOptionalPropertyTypes? \
                  --noUncheckedIndexedAccess? --noImplicitReturns? --noImplicitOverride? --noFallthroughCasesInSwitch? --forceConsistentCasingInFileNames? \
                  --useUnknownInCatchVariables? --verbatimModuleSyntax? --noPropertyAccessFromIndexSignature? --traceResolution? --listEmittedFiles? --explainFiles? \
                  --generateTrace: --generateCpuProfile: --maxNodeModuleJsDepth: --removeComments? --customConditions: --noEmitOnError? --ignoreDeprecations: --builders: \
                  --singleThreaded --checkers:",
        yes: &[
            "tsc",
            "tsc --noEmit -p tsconfig.app.json",
            "tsc -b",
            "tsc --noEmit --pretty false",
            "tsc --build --verbose",
        ],
        no: &[
            "tsc --watch",
            "tsc -w",
            "tsc --version",
            "tsc -v",
            "tsc --showConfig",
            "tsc --init",
            "tsc -b --dry",
            "tsc -b --clean",
            "tsc --listFilesOnly",
            "tsc --all",
            "tsc --noCheck",
            "tsc @args",
        ],
        ..PLAIN
    },
    Tool {
        names: "mypy",
        options: "-p: -m: -v --strict --package: --module: --config-file: --ignore-missing-imports --show-error-codes --hide-error-codes --no-error-summary --pretty --no-pretty \
                  --python-version: --platform: --follow-imports: --follow-untyped-imports --namespace-packages --no-namespace-packages --explicit-package-bases --exclude: \
                  --exclude-gitignore --cache-dir: --no-incremental --incremental --show-column-numbers --show-error-end --show-error-context --hide-error-context \
                  --show-absolute-path --show-traceback --tb --no-color-output --color-output --warn-unused-ignores --no-warn-unused-ignores --warn-unreachable \
                  --warn-return-any --warn-redundant-casts --warn-unused-configs --no-warn-no-return --disallow-untyped-defs --disallow-incomplete-defs \
                  --disallow-untyped-calls --disallow-untyped-decorators --disallow-any-generics --disallow-any-explicit --disallow-any-unimported --disallow-any-expr \
                  --disallow-any-decorated --disallow-subclassing-any --check-untyped-defs --no-implicit-optional --implicit-optional --strict-optional \
                  --no-strict-optional --sqlite-cache --python-executable: --enable-error-code: --disable-error-code: --html-report: --txt-report: --junit-xml: \
                  --xml-report: --linecount-report: --any-exprs-report: --cobertura-xml-report: --soft-error-limit: --allow-untyped-globals --allow-redefinition \
                  --allow-untyped-defs --allow-untyped-calls --verbose -O: --output: --scripts-are-modules --no-site-packages --no-silence-site-packages \
                  --local-partial-types --strict-equality --extra-checks --strict-bytes --fast-module-lookup --skip-version-check --no-implicit-reexport --num-workers: \
                  --native-parser --report-deprecated-as-note --non-interactive",
        yes: &["mypy .", "mypy src --strict", "mypy -p pkg --python-version 3.12"],
        no: &["mypy --help", "mypy -V", "mypy --version", "mypy -h", "mypy -c 'x'", "mypy --shadow-file a b"],
        ..PLAIN
    },
    Tool {
        names: "ruff",
        verb: "check",
        global: "-q -v -s --quiet --verbose --silent --config: --isolated --color:",
        options: "-q -v -s -n -o: --fix --no-fix --unsafe-fixes --no-unsafe-fixes --show-fixes --select: --ignore: --extend-select: --extend-ignore: --output-format: \
                  --format: --config: --line-length: --target-version: --exclude: --extend-exclude: --force-exclude --no-force-exclude --per-file-ignores: \
                  --extend-per-file-ignores: --no-cache --cache-dir: --quiet --verbose --silent --preview --no-preview --respect-gitignore --no-respect-gitignore \
                  --isolated --diff --statistics --show-source --stdin-filename: --output-file: --exit-non-zero-on-fix --exit-non-zero-on-format --fixable: --unfixable: \
                  --extend-fixable: --ignore-noqa --color: --extension: --dummy-variable-rgx:",
        yes: &[
            "ruff check",
            "ruff check . --fix",
            "ruff -q check src --output-format=concise",
            "ruff check --select E,F a.py",
        ],
        no: &[
            "ruff",
            "ruff check --watch",
            "ruff check -w",
            "ruff check --exit-zero",
            "ruff check -e",
            "ruff check --show-files",
            "ruff check --show-settings",
            "ruff check --add-noqa",
            "ruff check --help",
            "ruff server",
            "ruff help check",
            "ruff rule E1",
        ],
        ..PLAIN
    },
    Tool {
        names: "ruff",
        verb: "format",
        global: "-q -v -s --quiet --verbose --silent --config: --isolated --color:",
        options: "-q -v -s -n --check --diff --config: --exclude: --extend-exclude: --quiet --verbose --silent --preview --no-preview --line-length: --target-version: \
                  --no-cache --cache-dir: --stdin-filename: --isolated --force-exclude --respect-gitignore --extension: --output-format: --color: --exit-non-zero-on-format",
        needs: "--check --diff",
        yes: &["ruff format --check .", "ruff format --diff src"],
        no: &["ruff format .", "ruff format", "ruff format --check --help"],
        ..PLAIN
    },
    Tool {
        names: "oxlint",
        options: "-D: -W: -A: -c: -f: --deny: --warn: --allow: --deny-warnings --config: --tsconfig: --fix --fix-suggestions --fix-dangerously --ignore-path: \
                  --ignore-pattern: --no-ignore --quiet --silent --max-warnings: --format: --threads: --type-aware --type-check --import-plugin --react-plugin --jsx-a11y-plugin \
                  --jest-plugin --vitest-plugin --nextjs-plugin --react-perf-plugin --promise-plugin --node-plugin --jsdoc-plugin --vue-plugin --regex-plugin \
                  --disable-unicorn-plugin --disable-oxc-plugin --disable-typescript-plugin --disable-react-plugin --report-unused-disable-directives \
                  --report-unused-disable-directives-severity: --disable-nested-config --no-error-on-unmatched-pattern",
        yes: &["oxlint", "oxlint --deny-warnings src", "oxlint -D correctness"],
        no: &[
            "oxlint --init",
            "oxlint --rules",
            "oxlint --version",
            "oxlint --print-config",
            "oxlint -h",
            "oxlint --lsp",
        ],
        ..PLAIN
    },
    Tool {
        names: "eslint",
        options: "-c: -f: -o: --ext: --fix --fix-type: --max-warnings: --config: --no-eslintrc --no-config-lookup --rule: --quiet --format: --cache --no-cache --cache-location: \
                  --cache-strategy: --cache-file: --ignore-path: --ignore-pattern: --no-ignore --no-error-on-unmatched-pattern --pass-on-no-patterns \
                  --report-unused-disable-directives --report-unused-disable-directives-severity: --report-unused-inline-configs: --parser: --parser-options: --plugin: \
                  --rulesdir: --resolve-plugins-relative-to: --env: --global: --no-inline-config --debug --color --no-color --output-file: --stdin --stdin-filename: \
                  --no-warn-ignored --warn-ignored --flag: --concurrency: --stats --exit-on-fatal-error",
        yes: &[
            "eslint .",
            "eslint src --ext .ts --max-warnings=0",
            "eslint 'src/**/*.ts' --rule '{\"semi\": \"error\"}'",
            "eslint src/*.js --fix",
        ],
        no: &[
            "eslint --print-config a.js",
            "eslint --env-info",
            "eslint -v",
            "eslint --init",
            "eslint --help",
            "eslint --inspect-config",
            "eslint --fix-dry-run .",
        ],
        ..PLAIN
    },
    Tool {
        names: "golangci-lint",
        verb: "run",
        global: "-v --verbose --color: -c: --config:",
        options: "-c: -E: -D: -p: -j: -v --timeout: --fix --config: --no-config --out-format: --new --new-from-rev: --new-from-patch: --new-from-merge-base: --enable: --disable: \
                  --enable-all --disable-all --enable-only: --fast --fast-only --default: --presets: --build-tags: --tests? --modules-download-mode: --skip-dirs: --skip-files: \
                  --exclude: --exclude-dirs: --exclude-files: --exclude-use-default? --max-issues-per-linter: --max-same-issues: --concurrency: --go: --allow-parallel-runners \
                  --allow-serial-runners --print-issued-lines? --print-linter-name? --sort-results --show-stats? --path-prefix: --path-mode: --whole-files --uniq-by-line? --verbose \
                  --color: --output.text.path: --output.json.path: --output.tab.path: --output.sarif.path: --output.checkstyle.path: --output.code-climate.path: \
                  --output.junit-xml.path: --output.text.colors? --output.text.print-issued-lines? --cpu-profile-path: --mem-profile-path:",
        not: "help",
        yes: &["golangci-lint run", "golangci-lint run --timeout 5m ./...", "golangci-lint -v run -E gosec"],
        no: &[
            "golangci-lint",
            "golangci-lint linters",
            "golangci-lint run --help",
            "golangci-lint run --issues-exit-code=0",
            "golangci-lint fmt",
            "golangci-lint --version",
            "golangci-lint cache clean",
        ],
        ..PLAIN
    },
    Tool {
        names: "stylua",
        options: "-c -f: -g: -s -a --check --config-path: --glob: --output-format: --color: --verify --search-parent-directories --respect-ignores --allow-hidden --syntax: \
                  --num-threads: --column-width: --indent-type: --indent-width: --quote-style: --line-endings: --sort-requires --no-editorconfig --call-parentheses: \
                  --no-ignore-vcs",
        needs: "-c --check",
        yes: &["stylua --check .", "stylua src --check", "stylua --check *.lua"],
        no: &["stylua .", "stylua --verify .", "stylua --check --help", "stylua --check --version"],
        ..PLAIN
    },
    Tool {
        names: "selene",
        options: "-q -n --display-style: --config: --color: --quiet --no-summary --num-threads: --pattern: --allow-warnings --no-exclude",
        not: "generate-roblox-std update-roblox-std upgrade-std validate-config capabilities",
        yes: &["selene src", "selene --display-style=quiet a.lua b.lua"],
        no: &["selene --help", "selene", "selene validate-config", "selene capabilities", "selene --version"],
        ..PLAIN
    },
    Tool {
        names: "go",
        verb: "test",
        global: "-C:",
        options: GO_TEST,
        yes: &[
            "go test",
            "go test ./...",
            "go test -race -count=1 -run TestA ./pkg",
            "go -C sub test ./...",
            "go test -tags 'a b' -v ./x",
        ],
        no: &[
            "go test -list . ./...",
            "go test -c ./x",
            "go test -exec=true ./...",
            "go test -n ./...",
            "go test -run '^$' ./...",
            "go test -count=0 ./...",
            "go test -h",
            "go testing",
            "go test -toolexec=x ./...",
        ],
        ..PLAIN
    },
    Tool {
        names: "go",
        verb: "vet",
        global: "-C:",
        options: GO_BUILD,
        yes: &["go vet", "go vet ./...", "go vet -tags x ./pkg"],
        no: &["go vet -vettool=x ./...", "go vet -n ./...", "go vet -h", "go vet -help", "go build ./..."],
        ..PLAIN
    },
    Tool {
        names: "cargo",
        verb: "test",
        global: CARGO_GLOBAL,
        options: CARGO,
        passed: Some(LIBTEST),
        yes: &[
            "cargo test",
            "cargo test -p core a::b -- --nocapture",
            "cargo +stable test --release",
            "cargo --locked test -- --test-threads=1 --skip x",
        ],
        no: &[
            "cargo test -- --list",
            "cargo test --no-run",
            "cargo test --help",
            "cargo test -h",
            "cargo test -- --help",
            "cargo bench",
            "cargo miri test",
            "cargo --list",
            "cargo nextest run",
        ],
        ..PLAIN
    },
    Tool {
        names: "cargo",
        verb: "check",
        global: CARGO_GLOBAL,
        options: CARGO,
        passed: Some(""),
        yes: &["cargo check --workspace --all-targets", "cargo check"],
        no: &[
            "cargo check --help",
            "cargo check --build-plan",
            "cargo build",
            "cargo fmt --check",
            "cargo --config build.rustc-wrapper='\"x\"' check",
        ],
        ..PLAIN
    },
    Tool {
        names: "cargo",
        verb: "clippy",
        global: CARGO_GLOBAL,
        options: CARGO_CLIPPY,
        passed: Some("-D: -W: -A: -F: --deny: --warn: --allow: --forbid: --no-deps"),
        yes: &["cargo clippy", "cargo clippy --all-targets -- -D warnings"],
        no: &[
            "cargo clippy --explain x",
            "cargo clippy -- --cap-lints allow",
            "cargo clippy -V",
            "cargo-clippy",
        ],
        ..PLAIN
    },
    Tool {
        names: "node",
        options: "-r: -C: --test --test-reporter: --test-reporter-destination: --test-name-pattern: --test-skip-pattern: --test-concurrency: --test-timeout: --test-only \
                  --test-shard: --test-isolation: --experimental-test-isolation: --test-force-exit --test-update-snapshots --test-global-setup: --experimental-test-coverage \
                  --test-coverage-include: --test-coverage-exclude: --test-coverage-lines: --test-coverage-branches: --test-coverage-functions: \
                  --experimental-test-snapshots --experimental-test-module-mocks --experimental-strip-types --experimental-transform-types --no-warnings \
                  --disable-warning: --enable-source-maps --import: --require: --loader: --experimental-loader: --env-file: --env-file-if-exists: --conditions: \
                  --max-old-space-size: --trace-warnings --trace-deprecation --no-deprecation --throw-deprecation --unhandled-rejections: --expose-gc --expose_gc \
                  --experimental-vm-modules --experimental-sqlite --no-experimental-strip-types --pending-deprecation --stack-trace-limit:",
        needs: "--test",
        yes: &[
            "node --test",
            "node --no-warnings --test a.mjs",
            "node --test --test-reporter=spec 'test/**/*.js'",
            "node --import tsx --test a.ts",
        ],
        no: &[
            "node",
            "node a.js",
            "node --test-reporter=spec a.js",
            "node --help --test",
            "node --test --watch",
            "node a.js --test",
            "node --version",
            "node -e x --test",
            "node --check --test",
        ],
        ..PLAIN
    },
];
