//! in: `{text, identity?: {home, user, host, env}, names?: […]}`, out: `{text, counts}`.

use loop_core::{Identity, Redactor};
use serde_json::{Value, json};

pub fn run(input: &Value) -> Value {
    let identity = &input["identity"];
    let field = |name: &str| identity[name].as_str().unwrap_or_default().to_owned();
    let env = identity["env"].as_object().into_iter().flatten();
    let identity = Identity {
        home: field("home"),
        user: field("user"),
        host: field("host"),
        env: env.map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_owned())).collect(),
    };
    let names = input["names"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let scrubbed = Redactor::new(&identity).with_names(names).scrub(input["text"].as_str().unwrap());
    json!({"text": scrubbed.as_str(), "counts": scrubbed.counts()})
}
