package dev.sequitur.node.rpc.method;

/**
 * What the keys of webhooks are made of: derived from what the node alone has, so that no store has
 * them. Thread-safe.
 */
@FunctionalInterface
public interface WebhookSecrets {
  /** 32 bytes: always the same of one id, and of another one others that nobody can tell. */
  byte[] of(String id);
}
