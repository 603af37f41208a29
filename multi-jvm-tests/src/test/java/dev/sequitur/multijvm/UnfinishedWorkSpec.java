package dev.sequitur.multijvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.javadsl.Adapter;
import akka.actor.typed.javadsl.AskPattern;
import akka.cluster.sharding.ShardRegion.CurrentShardRegionState;
import akka.cluster.sharding.typed.ClusterShardingQuery;
import akka.cluster.sharding.typed.GetShardRegionState;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import dev.sequitur.sequencer.actor.SenderActor;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.Test;

/**
 * Senders with unfinished work are in a JVM that is cut off. Nobody calls them again: they wake
 * elsewhere by themselves and finish.
 */
public class UnfinishedWorkSpec extends OneNodeSpec {
  private static final int CUT_OFF = 2;
  private static final int GROUPS = 8;
  private static final Duration ASK = Duration.ofSeconds(60);

  @Test
  public void sendersWithUnfinishedWorkWakeElsewhereAndFinish() throws Exception {
    switch (NodeMember.number()) {
      case 0 -> conduct();
      case CUT_OFF -> {
        member().barrier("sent");
        Files.write(word("hosted"), sendersHere());
        member().barrier("looked");
        awaitLeftOut();
      }
      default -> {
        member().barrier("sent");
        member().barrier("looked");
        await().atMost(Parties.PATIENCE).until(() -> Files.exists(word("done")));
      }
    }
  }

  private void conduct() throws Exception {
    try {
      var intents = new Intents(network());
      var groups = IntStream.range(0, GROUPS).mapToObj(i -> Group.create(network(), 1)).toList();
      groups.forEach(group -> intents.send(1, group));
      intents.awaitSuccess();
      member().barrier("sent");
      member().barrier("looked");
      // None of these is finished when the link is cut.
      network().freezeLedger();
      groups.forEach(group -> intents.send(1, group));
      member().cutOff(CUT_OFF);
      var hosted = Files.readAllLines(word("hosted"));
      assertThat(groups.stream().map(Group::contract).filter(hosted::contains))
          .as("senders with unfinished work in the JVM that is cut off")
          .isNotEmpty();
      network().thawLedger();

      intents.assertEachCountedOnce();
    } finally {
      network().thawLedger();
      Files.createFile(word("done"));
    }
  }

  private List<String> sendersHere() throws Exception {
    var typed = Adapter.toTyped(system());
    var sharding = ClusterSharding.get(typed).shardState();
    var state =
        AskPattern.<ClusterShardingQuery, CurrentShardRegionState>ask(
                sharding,
                replyTo -> new GetShardRegionState(SenderActor.KEY, replyTo),
                ASK,
                typed.scheduler())
            .toCompletableFuture()
            .get(ASK.toSeconds(), TimeUnit.SECONDS);
    var contracts = new ArrayList<String>();
    state.getShards().forEach(shard -> contracts.addAll(shard.getEntityIds()));
    return contracts;
  }
}
