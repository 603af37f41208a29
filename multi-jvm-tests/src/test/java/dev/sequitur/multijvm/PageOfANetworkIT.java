package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Intents;
import dev.sequitur.node.network.Network;
import dev.sequitur.node.network.NetworkPlan;
import dev.sequitur.node.rpc.Browser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a person sees in a browser while the coordinator of four nodes, in processes of their own,
 * is killed. The pictures of it stay in {@code target/page}.
 */
@Timeout(1_500)
@Tag("slow")
class PageOfANetworkIT {
  private static final int ENDORSERS = 3;
  private static final Path PICTURES = Path.of("target", "page");

  @TempDir Path directory;

  @Test
  void aCoordinatorThatIsKilledIsSeenToBeAwayAndTheNextOneToCarryOn() throws IOException {
    var settings =
        "sequencer.selection.range-size = 100000\n" + NetworkPlan.NO_PARDON + NetworkPlan.QUICK;
    try (var browser = Browser.open();
        var network = Network.start(directory, NetworkPlan.of(settings, 1, 1, 1, 1))) {
      var group = Group.create(network, ENDORSERS);
      var intents = new Intents(network);
      int killed = group.coordinator();
      int next = group.ranking().get(1);
      int observer = group.ranking().get(2);
      var page = network.node(observer).caller().url() + "/page/";
      browser.show(page + "#/contract/" + group.contract());
      browser.await("#coordinator", "node" + killed + " coordinates at block");
      assertThat(browser.text(".members")).doesNotContain("away");
      intents.send(2, observer, group);
      intents.awaitSuccess();

      network.node(killed).kill();
      var id = intents.send(observer, group);

      // Whether it was asked before its connection was known to be refused is chance (AVL-8).
      browser.await(".members", "away");
      browser.await("#coordinator", "node" + next + " coordinates at block");
      browser.await(".members", "no connection");
      keep(browser, "contract.png");

      browser.show(page + "#/transaction/" + id);
      browser.await(".sequence", "DelegationCommand", "node" + next);
      browser.await("#state", "Confirmed");
      browser.await(".states .present", "Confirmed");
      browser.await("main", "Receipt", "delegated to node" + next);
      browser.awaitMoreThan(5, ".sequence .message");
      keep(browser, "transaction.png");

      browser.show(page + "#/node");
      browser.await("main", "There is no connection to node node" + killed);
      keep(browser, "node.png");
      assertThat(browser.complaints()).isEqualTo(List.of());
      intents.assertLedger();
    }
  }

  private static void keep(Browser browser, String name) throws IOException {
    Files.createDirectories(PICTURES);
    Files.write(PICTURES.resolve(name), browser.picture());
  }
}
