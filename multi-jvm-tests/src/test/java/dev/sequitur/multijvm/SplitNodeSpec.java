package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.node.network.Intents;
import dev.sequitur.node.network.Load;
import dev.sequitur.node.network.Parties;
import java.nio.file.Files;
import org.junit.Test;

/**
 * A partition inside a node under load. The side that gets the lease stays, the other one ends, and
 * no entity writes in two places: neither the journal nor the ledger has anything twice.
 */
public class SplitNodeSpec extends OneNodeSpec {
  private static final int CUT_OFF = 2;
  private static final int GROUPS = 9;

  /** Groups whose entities are in the JVM that is cut off. */
  private static final int THERE = 2;

  @Test
  public void theResolverDecidesAndNothingIsWrittenTwice() throws Exception {
    switch (NodeMember.number()) {
      case 0 -> conduct();
      case CUT_OFF -> {
        member().barrier("loaded");
        awaitLeftOut();
      }
      default -> {
        member().barrier("loaded");
        await().atMost(Parties.PATIENCE).until(() -> Files.exists(word("done")));
        assertThat(system().whenTerminated().isCompleted()).as("it has stayed").isFalse();
      }
    }
  }

  private void conduct() throws Exception {
    var intents = new Intents(network());
    var wish = new SenderPlaces.Wish(GROUPS, THERE, member().address(CUT_OFF));
    var groups = senders().groups(network(), intents, wish);
    try (var load = new Load(network(), intents, groups)) {
      load.awaitMore(40);
      member().barrier("loaded");
      member().cutOff(CUT_OFF);
      // Through both sides, for as long as the resolver takes; then through one.
      load.awaitMore(200);
      awaitEnd(CUT_OFF);
      load.awaitMore(40);
      load.stop();
      intents.assertEachCountedOnce();
      Writers.read(network()).assertOneAfterAnother();
    } finally {
      Files.createFile(word("done"));
    }
  }

  private void awaitEnd(int number) {
    var caller = network().callers(1).get(number);
    await()
        .alias("JVM " + number + " serves nobody any more")
        .atMost(Parties.PATIENCE)
        .until(
            () -> {
              try {
                caller.answer("transport_nodeName", "[]");
                return false;
              } catch (AssertionError e) {
                return true;
              }
            });
  }
}
