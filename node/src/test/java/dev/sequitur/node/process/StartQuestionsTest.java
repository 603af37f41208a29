package dev.sequitur.node.process;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import dev.sequitur.protocol.port.LedgerUnreachableException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class StartQuestionsTest {
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
