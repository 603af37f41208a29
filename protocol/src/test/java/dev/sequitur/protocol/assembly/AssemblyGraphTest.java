package dev.sequitur.protocol.assembly;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PostAssembly;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.Proof;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The graph against what it would be if it were made from scratch, over random histories. */
final class AssemblyGraphTest {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "cd".repeat(20));

  private static final Identity ALWAYS_TOLD = new Identity("party", new NodeName("a"));
  private static final Identity SOMETIMES_TOLD = new Identity("party", new NodeName("b"));

  private final Map<IntentKey, PostAssembly> present = new LinkedHashMap<>();
  private final Set<IntentKey> withheld = new HashSet<>();
  private AssemblyGraph graph = AssemblyGraph.EMPTY;
  private int numbers;

  private static PrivateState state(int number) {
    var id = new StateId(Hash.sha256(Bytes.utf8("state" + number).toByteArray()));
    var told = number % 31 == 0 ? List.of(ALWAYS_TOLD) : List.of(ALWAYS_TOLD, SOMETIMES_TOLD);
    return new PrivateState(id, CONTRACT, "s", "l", Bytes.EMPTY, told);
  }

  private static PostAssembly assembly(
      List<PrivateState> inputs, List<PrivateState> reads, List<PrivateState> outputs) {
    return new PostAssembly(inputs, reads, outputs, List.of(), Bytes.EMPTY, List.of(), Proof.NONE);
  }

  private IntentKey id() {
    var id = new TransactionId(new UUID(0, numbers++));
    return new IntentKey(id, new SenderCommitment(Hash.sha256(id.toString().getBytes(UTF_8))));
  }

  @Property(tries = 300)
  void afterAnyHistoryTheLocksAreThoseOfWhatIsPresent(@ForAll long seed) {
    present.clear();
    withheld.clear();
    graph = AssemblyGraph.EMPTY;
    var random = new SplittableRandom(seed);
    for (int step = 0; step < 60; step++) {
      int dice = random.nextInt(10);
      if (dice < 6) {
        add(random);
      } else if (dice < 8) {
        removeWithDependants(random);
      } else if (dice < 9) {
        any(random).ifPresent(this::settle);
      } else {
        forget();
      }
      compare();
    }
  }

  /** The ledger confirms nothing before what it builds upon. */
  private void settle(IntentKey id) {
    if (graph.node(id).orElseThrow().predecessors().isEmpty()) {
      graph = graph.settle(id, new BlockHeight(numbers));
    }
  }

  private void add(SplittableRandom random) {
    var usable = new ArrayList<PrivateState>();
    for (int number = 0; number < 6; number++) {
      usable.add(state(number));
    }
    usable.addAll(graph.locks().created().values());
    var inputs = new ArrayList<PrivateState>();
    var reads = new ArrayList<PrivateState>();
    for (var candidate : usable) {
      int dice = random.nextInt(6);
      if (dice == 0) {
        inputs.add(candidate);
      } else if (dice == 1) {
        reads.add(candidate);
      }
    }
    var outputs = List.of(state(1_000 + numbers * 2), state(1_001 + numbers * 2));
    var made = assembly(inputs, reads, outputs);
    var id = id();
    if (graph.conflict(made).isPresent()) {
      return;
    }
    boolean offers = random.nextInt(5) > 0;
    graph = graph.add(id, made, offers);
    present.put(id, made);
    if (!offers) {
      withheld.add(id);
    }
  }

  private Optional<IntentKey> any(SplittableRandom random) {
    var ids = List.copyOf(present.keySet());
    return ids.isEmpty() ? Optional.empty() : Optional.of(ids.get(random.nextInt(ids.size())));
  }

  private void removeWithDependants(SplittableRandom random) {
    var chosen = any(random);
    if (chosen.isEmpty() || !binds(chosen.get())) {
      return;
    }
    var leaving = graph.withDependants(chosen.get());
    assertThat(leaving.get(0)).isEqualTo(chosen.get());
    checkClosure(leaving);
    for (var id : leaving.subList(1, leaving.size())) {
      if (random.nextInt(3) == 0) {
        graph = graph.withhold(id);
        withheld.add(id);
      } else {
        graph = graph.remove(id);
        present.remove(id);
      }
    }
    graph = graph.remove(leaving.get(0));
    present.remove(leaving.get(0));
  }

  /** Everybody who depends on one of them is one of them. */
  private void checkClosure(List<IntentKey> leaving) {
    for (var node : graph.nodes().values()) {
      boolean depends = node.dependsOn().stream().anyMatch(leaving::contains);
      if (depends) {
        assertThat(leaving).contains(node.transaction());
      }
    }
    assertThat(leaving).doesNotHaveDuplicates();
  }

  private void forget() {
    var upTo = new BlockHeight(Math.max(0, numbers - 5));
    for (var node : graph.nodes().values()) {
      if (node.settledAt().filter(at -> at.compareTo(upTo) <= 0).isPresent()) {
        present.remove(node.transaction());
      }
    }
    graph = graph.forgetSettled(upTo);
  }

  private void compare() {
    var spent = new HashSet<StateId>();
    var created = new HashSet<StateId>();
    for (var each : present.values()) {
      each.inputIds().forEach(id -> assertThat(spent.add(id)).isTrue());
    }
    present.forEach(
        (id, each) -> {
          if (!withheld.contains(id)) {
            created.addAll(each.outputIds());
          }
        });
    created.removeAll(spent);
    assertThat(graph.nodes().keySet()).isEqualTo(present.keySet());
    assertThat(graph.locks().spent()).isEqualTo(spent);
    assertThat(graph.locks().created().keySet()).isEqualTo(created);
    compareIndexes();
    for (var node : graph.nodes().values()) {
      for (var before : node.predecessors()) {
        assertThat(graph.nodes().get(before).dependants()).contains(node.transaction());
      }
      for (var after : node.dependants()) {
        assertThat(graph.nodes().get(after).predecessors()).contains(node.transaction());
      }
    }
  }

  private void compareIndexes() {
    boolean allTold =
        present.values().stream()
            .flatMap(each -> each.outputs().stream())
            .allMatch(output -> output.distribution().contains(SOMETIMES_TOLD));
    assertThat(graph.isWhollyFor(ALWAYS_TOLD.node())).isTrue();
    assertThat(graph.isWhollyFor(SOMETIMES_TOLD.node())).isEqualTo(allTold);
    var settled = new HashSet<IntentKey>();
    graph.settled().values().forEach(settled::addAll);
    assertThat(settled)
        .isEqualTo(
            graph.nodes().values().stream()
                .filter(node -> node.settledAt().isPresent())
                .map(AssemblyGraph.Node::transaction)
                .collect(Collectors.toSet()));
  }

  @Test
  void aSpenderComesAfterTheReadersOfWhatItSpendsWithoutDependingOnThem() {
    var reader = id();
    var spender = id();
    graph = graph.add(reader, assembly(List.of(), List.of(state(1)), List.of(state(2))), true);

    graph = graph.add(spender, assembly(List.of(state(1)), List.of(), List.of(state(3))), true);

    var node = graph.node(spender).orElseThrow();
    assertThat(node.dependsOn()).isEmpty();
    assertThat(node.predecessors()).containsExactly(reader);
    assertThat(graph.withDependants(reader)).containsExactly(reader);
  }

  @Test
  void whatReadsAStateThatIsSpentInFlightConflicts() {
    graph = graph.add(id(), assembly(List.of(state(1)), List.of(), List.of(state(2))), true);

    assertThat(graph.conflict(assembly(List.of(), List.of(state(1)), List.of()))).isPresent();
    assertThat(graph.conflict(assembly(List.of(state(2)), List.of(), List.of()))).isEmpty();
  }

  @Test
  void whatMakesWhatIsMadeAlreadyConflicts() {
    graph = graph.add(id(), assembly(List.of(), List.of(), List.of(state(2))), true);

    assertThat(graph.conflict(assembly(List.of(), List.of(), List.of(state(2))))).isPresent();
  }

  private boolean binds(IntentKey transaction) {
    return graph.node(transaction).filter(node -> node.settledAt().isEmpty()).isPresent();
  }

  @Test
  void whatIsInFlightBindsAndWhatIsConfirmedOrGoneDoesNot() {
    var one = id();
    assertThat(binds(one)).isFalse();

    graph = graph.add(one, assembly(List.of(), List.of(), List.of(state(1))), true);
    assertThat(binds(one)).isTrue();

    graph = graph.settle(one, new BlockHeight(1));
    assertThat(binds(one)).isFalse();
    assertThat(graph.node(one)).isPresent();
  }

  @Test
  void whatIsConfirmedOnceIsOfThatBlock() {
    var one = id();
    graph = graph.add(one, assembly(List.of(), List.of(), List.of(state(1))), true);

    graph = graph.settle(one, new BlockHeight(1)).settle(one, new BlockHeight(2));
    assertThat(graph.node(one).orElseThrow().settledAt()).contains(new BlockHeight(1));

    assertThat(graph.settle(id(), new BlockHeight(3))).isEqualTo(graph);
    assertThat(graph.remove(id())).isEqualTo(graph);
  }

  /** A state has several readers: when one leaves, the others are still there. */
  @Test
  void whoeverReadsAStateStaysAReaderWhenAnotherLeaves() {
    var one = id();
    var other = id();
    graph = graph.add(one, assembly(List.of(), List.of(state(1)), List.of(state(2))), true);
    graph = graph.add(other, assembly(List.of(), List.of(state(1)), List.of(state(3))), true);

    graph = graph.remove(one);
    assertThat(graph.readBy().get(state(1).id())).containsExactly(other);

    graph = graph.remove(other);
    assertThat(graph).isEqualTo(AssemblyGraph.EMPTY);
  }
}
