package dev.sequitur.benchmarks;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockRange;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.port.BaseLedger;
import dev.sequitur.protocol.selection.CoordinatorSelection;
import dev.sequitur.protocol.selection.Ranking;
import dev.sequitur.protocol.selection.SelectionPolicy;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Coordinator selection must be cheap enough for every message. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RankingBenchmark {
  @Param({"4", "16"})
  private int members;

  private CoordinatorSelection selection;
  private long range;

  /** The ring is made once for a contract. */
  @Setup
  public void makeRing() {
    var committee =
        IntStream.range(0, members)
            .mapToObj(number -> new Identity("member" + number, new NodeName("node" + number)))
            .map(identity -> new Member(identity, new Verifier(Bytes.of(new byte[33]))))
            .toList();
    var contract = new ContractAddress("0x" + "a1".repeat(20));
    var group =
        new PrivacyGroup(
            new GroupId(new Hash(1, 0, 0, 0)),
            BaseLedger.LOCAL_CHAIN,
            contract,
            "record",
            "ranked",
            new Committee(committee),
            members,
            Bytes.EMPTY);
    selection = new CoordinatorSelection(group, SelectionPolicy.DEFAULT);
  }

  /** Each call for another range, so that nothing can be remembered. */
  @Benchmark
  public Ranking ranking() {
    return selection.ranking(new BlockRange(range++));
  }
}
