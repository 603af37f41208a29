package dev.sequitur.scheduler.body;

import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.ResponseCode;
import java.util.Optional;

/**
 * Whom the bodies have to be for that are read, and are for that are written.
 *
 * @param queue empty if any will do, and none: then nothing can be written
 */
record Addressee(Optional<NodeAccount> queue) {
  static final int NODE_ACCOUNT_ID = 2;

  /** Takes the node account out of a TransactionBody, outer or scheduled. */
  NodeAccount take(MessageFields body) throws UnreadableMessageException {
    var named = body.takeMessage(NODE_ACCOUNT_ID, "AccountID");
    var node =
        named.isPresent() ? CommonMessages.readNodeAccount(named.get()) : new NodeAccount(0, 0);
    if (queue.isPresent() && !queue.get().equals(node)) {
      throw new UnreadableMessageException(
          ResponseCode.INVALID_NODE_ACCOUNT,
          "It is signed for another queue: name the node account "
              + queue.get()
              + " in it, so that it counts here, and have it signed anew.");
    }
    return node;
  }

  /** Puts the node account into a TransactionBody, outer or scheduled. */
  MessageBytes put(MessageBytes body) {
    return body.message(NODE_ACCOUNT_ID, CommonMessages.write(queue.orElseThrow()));
  }
}
