package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Intents;
import dev.sequitur.node.network.Parties;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.Test;

/**
 * Senders with unfinished work are in a JVM that is cut off. Nobody calls them again: they wake
 * elsewhere by themselves and finish.
 */
public class UnfinishedWorkSpec extends OneNodeSpec {
  private static final int CUT_OFF = 2;
  private static final int GROUPS = 8;

  /** Groups whose senders are in the JVM that is cut off. */
  private static final int THERE = 2;

  /** Shards move when a JVM has joined; not for ever. */
  private static final int MOST_TRIED = 10;

  @Test
  public void sendersWithUnfinishedWorkWakeElsewhereAndFinish() throws Exception {
    switch (NodeMember.number()) {
      case 0 -> conduct();
      case CUT_OFF -> {
        await().atMost(Parties.PATIENCE).until(() -> Files.exists(word("cut")));
        tell();
        awaitLeftOut();
      }
      default -> await().atMost(Parties.PATIENCE).until(() -> Files.exists(word("done")));
    }
  }

  private void conduct() throws Exception {
    try {
      var intents = new Intents(network());
      var groups = unfinishedThere(intents);
      member().cutOff(CUT_OFF);
      Files.createFile(word("cut"));
      assertThat(groups.stream().map(Group::contract).filter(hosted()::contains))
          .as("senders with unfinished work in the JVM that is cut off")
          .isNotEmpty();
      network().thawLedger();

      intents.assertEachCountedOnce();
    } finally {
      network().thawLedger();
      Files.createFile(word("done"));
    }
  }

  /** Returns with the ledger standing still, so none of the last intents is finished. */
  private List<Group> unfinishedThere(Intents intents) throws Exception {
    var there = member().address(CUT_OFF);
    var wish = new SenderPlaces.Wish(GROUPS, THERE, there);
    for (int i = 0; i < MOST_TRIED; i++) {
      var groups = senders().groups(network(), intents, wish);
      network().freezeLedger();
      groups.forEach(group -> intents.send(1, group));
      if (!senders().at(there, groups).isEmpty()) {
        return groups;
      }
      network().thawLedger();
      intents.awaitSuccess();
    }
    throw new AssertionError("Senders move all the time");
  }

  private void tell() throws Exception {
    var whole = Files.write(word("hosted.part"), senders().here());
    Files.move(whole, word("hosted"), StandardCopyOption.ATOMIC_MOVE);
  }

  private List<String> hosted() throws Exception {
    await().atMost(Parties.PATIENCE).until(() -> Files.exists(word("hosted")));
    return Files.readAllLines(word("hosted"));
  }
}
