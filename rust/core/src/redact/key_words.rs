//! The words that names are made of, by what they say about the value.

use super::keys::{Strength, Verdict};
use super::span::Kind;

/// Roots that make the assignment scanner look at the whole name around them.
pub(super) const ROOTS: &[&str] = &[
    "pass", "pwd", "psw", "secret", "token", "key", "auth", "cred", "cookie", "session", "sess", "sid",
    "sig", "salt", "psk", "otp", "pin", "jwt", "bearer", "basic", "digest", "login", "code", "license",
    "seed", "mnemonic", "hmac", "private", "sas", "webhook", "plain", "pat", "rrt", "crumb", "nonce",
];

/// Last segments after which a name no longer names the secret itself.
pub(super) const BENIGN_LAST: &[&str] = &[
    "type", "name", "id", "ids", "file", "files", "filename", "path", "paths", "dir", "url", "uri",
    "endpoint", "ttl", "length", "len", "size", "count", "total", "min", "max", "policy", "policies",
    "provider", "backend", "store", "manager", "hint", "expired", "expiry", "expires", "expiration", "at",
    "in", "bucket", "limit", "usage", "used", "encoder", "decoder", "field", "form", "input", "label",
    "placeholder", "prompt", "stdin", "regex", "pattern", "format", "algorithm", "alg", "algo", "version",
    "rotation", "scope", "scopes", "enabled", "disabled", "required", "valid", "invalid", "error", "errors",
    "accessor", "duration", "renewable", "class", "parser", "stream", "reset", "ref", "arn", "method",
    "mode", "status", "state", "strategy", "service", "server", "host", "port", "realm", "age", "date",
    "time", "timeout", "issuer", "audience", "fingerprint", "thumbprint", "sock", "mgmt", "usages", "index",
    "list", "map", "table", "column", "handler", "helper", "util", "utils", "factory", "builder", "config",
    "settings", "options", "opts", "request", "response", "exception", "count", "changed", "missing",
    "check", "checker", "rule", "rules", "strength", "visible", "toggle", "button", "page", "link", "email",
    "user", "username", "owner", "group", "kind", "source", "target", "env", "var", "variable", "sep",
    "separator", "level", "bits", "bytes", "budget", "callback", "middleware", "module", "plugin", "test",
    "tests", "spec", "view", "event", "events", "command",
];

/// Words that may follow the secret's name without changing what it names.
pub(super) const NEUTRAL_LAST: &[&str] = &[
    "value", "val", "data", "raw", "b64", "base64", "prod", "production", "staging", "dev", "live",
    "sandbox", "old", "new", "current", "str", "string", "text", "plain", "plaintext", "primary",
    "secondary", "default", "main", "hash", "hashed", "enc", "base", "confirm", "confirmation", "again",
];

/// Segments that are secret by themselves.
pub(super) const STRONG: &[(&str, Kind)] = &[
    ("password", Kind::Password),
    ("passwords", Kind::Password),
    ("passwd", Kind::Password),
    ("passwort", Kind::Password),
    ("pwd", Kind::Password),
    ("psw", Kind::Password),
    ("pass", Kind::Password),
    ("passphrase", Kind::Password),
    ("passcode", Kind::Password),
    ("userpass", Kind::Password),
    ("psk", Kind::Key),
    ("salt", Kind::Key),
    ("pepper", Kind::Key),
    ("mnemonic", Kind::Key),
    ("secret", Kind::Token),
    ("token", Kind::Token),
    ("apikey", Kind::Key),
    ("credential", Kind::Token),
    ("credentials", Kind::Token),
    ("creds", Kind::Token),
    ("authorization", Kind::Token),
];

/// Endings of run-together names: `pgpassword`, `authtoken`.
pub(super) const STRONG_ENDINGS: &[(&str, Kind)] = &[
    ("password", Kind::Password),
    ("passwd", Kind::Password),
    ("passphrase", Kind::Password),
    ("pwd", Kind::Password),
    ("secret", Kind::Token),
    ("token", Kind::Token),
    ("apikey", Kind::Key),
    ("secretkey", Kind::Key),
    ("accesskey", Kind::Key),
    ("privatekey", Kind::Key),
    ("signingkey", Kind::Key),
    ("authkey", Kind::Key),
    ("accountkey", Kind::Key),
    ("sharedkey", Kind::Key),
    ("licensekey", Kind::Key),
    ("encryptionkey", Kind::Key),
    ("masterkey", Kind::Key),
];

/// Secret only when the value looks secret.
pub(super) const WEAK: &[(&str, Kind)] = &[
    ("tokens", Kind::Token),
    ("secrets", Kind::Token),
    ("keys", Kind::Key),
    ("apikeys", Kind::Key),
    ("auth", Kind::Token),
    ("oauth", Kind::Token),
    ("bearer", Kind::Token),
    ("sid", Kind::Cookie),
    ("sess", Kind::Cookie),
    ("session", Kind::Cookie),
    ("sessionid", Kind::Cookie),
    ("cookie", Kind::Cookie),
    ("sig", Kind::Token),
    ("signature", Kind::Token),
    ("otp", Kind::Token),
    ("pin", Kind::Password),
    ("jwt", Kind::Token),
    ("code", Kind::Token),
    ("verifier", Kind::Token),
    ("license", Kind::Key),
    ("seed", Kind::Key),
    ("hmac", Kind::Key),
    ("private", Kind::Key),
    ("sas", Kind::Token),
    ("pat", Kind::Token),
    ("rrt", Kind::Token),
    ("login", Kind::Token),
    ("webhook", Kind::Token),
    ("crumb", Kind::Token),
    ("nonce", Kind::Token),
];

/// What `key` opens, by the segment before it.
pub(super) const KEY_OWNERS: &[&str] = &[
    "api", "access", "secret", "private", "priv", "signing", "sign", "encryption", "encrypt", "decryption",
    "master", "admin", "service", "auth", "account", "storage", "subscription", "license", "unseal",
    "client", "consumer", "app", "application", "deploy", "ssh", "shared", "session", "sdk", "insert",
    "server", "device", "insights", "write", "read", "root", "hmac", "webhook", "jwt", "crypt",
    "integration", "function", "host", "recovery", "vault", "rest", "user", "security", "personal",
    "project", "team", "ingest", "wallet", "stream", "aes", "rsa", "cipher", "tls",
];

/// Keys that order, find or publish things.
pub(super) const KEY_BENIGN_OWNERS: &[&str] = &[
    "sort", "cache", "primary", "foreign", "partition", "row", "index", "hot", "map", "dict", "group",
    "object", "s3", "bucket", "json", "yaml", "restore", "unique", "composite", "shortcut", "tag", "label",
    "column", "field", "order", "lookup", "registry", "config", "setting", "translation", "i18n", "message",
    "dedup", "idempotency", "routing", "hash", "range", "join", "image", "arrow", "modifier", "data", "the",
    "projects", "issue", "jira", "context",
];

/// Names that are decided as a whole; `None` is "not sensitive".
pub(super) const WHOLE: &[(&str, Verdict)] = &[
    ("public_key_token", None),
    ("publickeytoken", None),
    ("public_key", None),
    ("publickey", None),
    ("projectkey", None),
    ("next_token", None),
    ("nexttoken", None),
    ("stop_token", None),
    ("pad_token", None),
    ("eos_token", None),
    ("bos_token", None),
    ("unk_token", None),
    ("cancellation_token", None),
    ("cancellationtoken", None),
    ("key_mgmt", None),
    ("sshkeys", None),
    ("exit_code", None),
    ("exitcode", None),
    ("private_key_id", Some((Strength::Strong, Kind::Key))),
    ("secret_id", Some((Strength::Strong, Kind::Token))),
    ("secretid", Some((Strength::Strong, Kind::Token))),
    ("session_id", Some((Strength::Weak, Kind::Cookie))),
    ("phpsessid", Some((Strength::Weak, Kind::Cookie))),
    ("jsessionid", Some((Strength::Weak, Kind::Cookie))),
    ("access_key_id", Some((Strength::Weak, Kind::Key))),
    ("accesskeyid", Some((Strength::Weak, Kind::Key))),
    ("x_amz_signature", Some((Strength::Strong, Kind::Token))),
    ("x_goog_signature", Some((Strength::Strong, Kind::Token))),
    ("code_verifier", Some((Strength::Strong, Kind::Token))),
    ("client_key_data", Some((Strength::Strong, Kind::Key))),
    ("secret_key_base", Some((Strength::Strong, Kind::Key))),
    ("requirepass", Some((Strength::Strong, Kind::Password))),
    ("masterauth", Some((Strength::Strong, Kind::Password))),
    ("identified", None),
];
