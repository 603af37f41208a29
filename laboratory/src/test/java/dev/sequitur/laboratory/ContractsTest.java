package dev.sequitur.laboratory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.schedule.chainexecution.ChainExecutions;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.registry.FamilyTypes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Whatever can be added beside others of its kind, a store, a ledger, a domain, is held to what all
 * of them promise: a test named after it extends the contract of its port.
 */
class ContractsTest {
  private static final Map<String, String> CONTRACTS =
      Map.of(
          "BaseLedger", "BaseLedgerContract",
          "NodeStore", "NodeStoreContractTest",
          "CellStore", "CellStoreContractTest",
          "BodyStore", "BodyStoreContractTest",
          "CommandStore", "CommandStoreContractTest",
          "OutcomeStore", "OutcomeStoreContractTest",
          "MapNodeStore", "NodeStoreContractTest",
          "OrderedMap", "OrderedMapContractTest",
          "CommitteeDomain", "DomainContract",
          "Domain", "DomainContract");

  /** It serves simulated networks alone: whom it is told to refuse it refuses. */
  private static final String NOT_SHIPPED = "SimulatedDomain";

  /** Its money is on its chain: {@code ChainExecutionsTest} has its rounds. */
  private static final Class<?> HOLDING_NOTHING = ChainExecutions.class;

  /** A class and what it extends or implements, up to its body. */
  private static final Pattern CLASS =
      Pattern.compile(
          "(?m)^((?:\\w+ )*)class (\\w+)(?:<[^{]*?>)?\\s+((?:extends|implements)[^{]*)\\{");

  private static final Pattern EXTENDED = Pattern.compile("extends\\s+(\\w+)");

  @Test
  void whatImplementsAPortHasATestThatExtendsItsContract() throws IOException {
    var above = new HashMap<String, String>();
    declarations("src/test/java", (modifiers, name, types) -> above.put(name, types));
    var implementing = new HashMap<String, String>();
    declarations(
        "src/main/java",
        (modifiers, name, types) ->
            CONTRACTS.forEach(
                (port, contract) -> {
                  if (!modifiers.contains("abstract")
                      && !name.equals(NOT_SHIPPED)
                      && Pattern.compile("\\b" + port + "\\b(?!\\.)").matcher(types).find()) {
                    implementing.put(name, contract);
                  }
                }));

    assertThat(implementing).containsEntry("LevelDbNodeStore", "NodeStoreContractTest");
    implementing.forEach(
        (name, contract) ->
            assertThat(above.keySet())
                .as("a test named %s…Test that extends %s", name, contract)
                .anyMatch(
                    test ->
                        test.matches(name + "\\w*Test")
                            && contractsAbove(test, above).contains(contract)));
  }

  /** Where operations, blocks, pauses and shutdowns come in any order. */
  @Test
  void eachFamilyThatHoldsMoneyHasATestOfItsInterleavings() throws IOException {
    var interleaved = new StringBuilder();
    sources(
        Path.of("..", "schedules", "src", "test", "java"),
        file -> {
          if (file.toString().endsWith("InterleavingsTest.java")) {
            interleaved.append(read(file));
          }
        });

    assertThat(FamilyTypes.of(Family.class))
        .filteredOn(family -> family != HOLDING_NOTHING)
        .isNotEmpty()
        .allSatisfy(
            family ->
                assertThat(interleaved)
                    .as("an …InterleavingsTest that uses the room of %s", family.getSimpleName())
                    .contains("import " + family.getPackageName() + "."));
  }

  private static List<String> contractsAbove(String test, Map<String, String> above) {
    return Stream.iterate(test, above::containsKey, each -> extended(above.get(each)))
        .map(each -> extended(above.get(each)))
        .toList();
  }

  private static String extended(String types) {
    var found = EXTENDED.matcher(types);
    return found.find() ? found.group(1) : "";
  }

  private interface Declarations {
    void add(String modifiers, String name, String types);
  }

  private static void declarations(String folder, Declarations found) throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      for (var sources : modules.map(module -> module.resolve(folder)).toList()) {
        if (Files.isDirectory(sources)) {
          declarationsIn(sources, found);
        }
      }
    }
  }

  private static void declarationsIn(Path sources, Declarations found) throws IOException {
    sources(
        sources,
        file -> {
          var declared = CLASS.matcher(read(file));
          while (declared.find()) {
            found.add(declared.group(1), declared.group(2), declared.group(3));
          }
        });
  }

  private static void sources(Path folder, Consumer<Path> visitor) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files.filter(file -> file.toString().endsWith(".java")).forEach(visitor);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
