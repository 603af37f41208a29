package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Block;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.StoreException;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StartQuestionsTest {
  /** The ledger runs, and shows a transaction of a group that the store is asked for. */
  @Test
  void thatTheStoreCannotBeReadIsSaidOfTheStoreAlone() {
    var kit = ActorTestKit.create();
    try {
      var indexed = new NodeStore.IndexedTo(new BlockHeight(3), new Hash(1, 2, 3, 4));
      var store =
          (NodeStore)
              Proxy.newProxyInstance(
                  NodeStore.class.getClassLoader(),
                  new Class<?>[] {NodeStore.class},
                  (proxy, method, arguments) ->
                      method.getName().equals("indexedTo")
                          ? CompletableFuture.completedFuture(Optional.of(indexed))
                          : CompletableFuture.failedFuture(new Unread("The disk is gone.")));
      var ports = new NodeSetup.Ports(null, ledger(), null, store, null, null, null, null, null);
      var setup =
          new NodeSetup(new NodeName("node1"), ports, Map.of(), null, null, null, null, null);

      assertThatThrownBy(() -> new RecordsBehindLedger(kit.system(), setup).look(false))
          .isInstanceOf(StartFailure.class)
          .hasMessage("The node's store cannot be read: The disk is gone.");
    } finally {
      kit.shutdownTestKit();
    }
  }

  private static BaseLedger ledger() {
    var height = new BlockHeight(4);
    var contract = new ContractAddress("0x" + "cc".repeat(20));
    var fulfilled =
        new LedgerReceipt.Fulfilled(
            contract,
            new IntentKey(
                new TransactionId(new UUID(1, 2)), new SenderCommitment(Hash.sha256(new byte[1]))),
            List.of(),
            List.of(),
            List.of());
    var receipt =
        new LedgerReceipt(
            new TransactionHash(new Hash(1, 1, 1, 1)),
            new LedgerAddress("0x" + "aa".repeat(20)),
            0,
            height,
            0,
            List.of(fulfilled));
    var block =
        new Block(
            height, new Hash(1, 2, 3, 5), new Hash(1, 2, 3, 4), Instant.EPOCH, List.of(receipt));
    return (BaseLedger)
        Proxy.newProxyInstance(
            BaseLedger.class.getClassLoader(),
            new Class<?>[] {BaseLedger.class},
            (proxy, method, arguments) ->
                CompletableFuture.completedFuture(
                    method.getName().equals("head") ? height : List.of(block)));
  }

  private static final class Unread extends StoreException {
    private static final long serialVersionUID = 1;

    Unread(String sentence) {
      super(sentence);
    }
  }

  /** After a start with a wrong chain's id, the next one said only that something does not run. */
  @Test
  void whatTheLedgerSaysIsTold() {
    var kit = ActorTestKit.create();
    try {
      var sentence = "The node at http://a is of chain 5 and not 1337: correct ledger.chain-id.";
      assertThatThrownBy(
              () ->
                  new StartQuestions(kit.system())
                      .answer(
                          () ->
                              CompletableFuture.failedFuture(
                                  new LedgerUnreachableException(sentence))))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining(sentence);
    } finally {
      kit.shutdownTestKit();
    }
  }
}
