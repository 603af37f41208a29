package dev.sequitur.node.rpc.method;

import dev.sequitur.node.rpc.RpcFailure;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Sends one event to one receiver. Thread-safe; never blocks. */
public interface WebhookSender {
  /**
   * Where it goes.
   *
   * @param keys each of which signs it: one, or two while they change
   */
  record Receiver(String url, List<WebhookKey> keys) {
    public Receiver {
      keys = List.copyOf(keys);
    }
  }

  /** What came of it. */
  sealed interface Answer {
    /** The receiver has it. */
    record Taken() implements Answer {}

    /** The receiver does not want it. */
    record Refused(String why) implements Answer {}

    /** The receiver is not there, not able now, or nobody may dial it. */
    record Unreached(String why) implements Answer {}
  }

  /**
   * Fails never.
   *
   * @param id the same each time the same event is sent
   * @param body UTF-8 JSON
   */
  CompletionStage<Answer> send(Receiver receiver, String id, byte[] body);

  /**
   * @throws RpcFailure with a sentence, if nothing may be sent there
   */
  void mustBeAllowed(String url);
}
