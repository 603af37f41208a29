package dev.sequitur.transport.tls;

import static dev.sequitur.transport.Envelopes.NODE1;
import static dev.sequitur.transport.Envelopes.NODE2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sequitur.fixture.FreePorts;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.transport.EntityPlaces;
import dev.sequitur.transport.Envelopes;
import dev.sequitur.transport.OwnPlaces;
import dev.sequitur.transport.TransportCounter;
import dev.sequitur.transport.tls.TlsNetwork.Running;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A peer of three JVMs that says which of them has what. */
@Timeout(180)
class EntityPlacesOfAPeerTest {
  private static final int JVMS = 3;
  private static final int CONTRACTS = 30;

  @TempDir Path directory;
  private TlsNetwork network;
  private List<PeerAddress> addresses;
  private final AtomicReference<List<String>> places =
      new AtomicReference<>(List.of("jvm0", "jvm1", "jvm2"));
  private int sent;

  @BeforeEach
  void makeNetwork() throws IOException {
    network = new TlsNetwork(directory, NODE1, NODE2);
    int port = FreePorts.inARow(JVMS);
    addresses =
        IntStream.range(0, JVMS).mapToObj(i -> new PeerAddress("127.0.0.1", port + i)).toList();
  }

  @AfterEach
  void closeNetwork() {
    network.close();
  }

  private Running sender() {
    var of = network.configuration(NODE1);
    var peer =
        new PeerAddress("127.0.0.1", addresses.getFirst().port(), addresses.subList(1, JVMS));
    return network.start(
        new TlsConfiguration(
            NODE1, of.bind(), of.files(), Map.of(NODE2, peer), of.limits(), of.times()));
  }

  private Running jvm(int number) {
    var of = network.configuration(NODE2);
    var told = new OwnPlaces();
    told.knownBy(
        () ->
            Optional.of(places.get())
                .filter(all -> !all.isEmpty())
                .map(all -> EntityPlaces.named("jvm" + number, all)));
    return network.start(
        new TlsConfiguration(
            NODE2, addresses.get(number), of.files(), of.peers(), of.limits(), of.times()),
        told);
  }

  private static ContractAddress contract(int number) {
    return new ContractAddress("0x" + "%02x".formatted(number).repeat(20));
  }

  /** Numbers of one envelope to each contract. */
  private List<Integer> send(Running from) {
    var numbers = new ArrayList<Integer>();
    for (int i = 0; i < CONTRACTS; i++) {
      int number = 1_000 + sent++;
      from.transport().send(List.of(Envelopes.numbered(NODE1, NODE2, number, contract(i))));
      numbers.add(number);
    }
    return numbers;
  }

  /** Of what {@link #send} has sent, that which is for entities of a JVM. */
  private List<Integer> of(List<Integer> numbers, int jvm) {
    var all = EntityPlaces.named("any", places.get());
    long wanted = EntityPlaces.named("jvm" + jvm, places.get()).teller();
    return IntStream.range(0, CONTRACTS)
        .filter(i -> all.of(contract(i)) == wanted)
        .mapToObj(numbers::get)
        .toList();
  }

  private static boolean hasArrived(List<Running> jvms, List<Integer> numbers) {
    return jvms.stream().flatMap(jvm -> jvm.arrived().stream()).toList().containsAll(numbers);
  }

  private static void awaitConnections(Running sender, int connections) {
    await().until(() -> sender.count(TransportCounter.CONNECTIONS_OPENED) >= connections);
  }

  /** They may go elsewhere until each link has heard where it leads to. */
  private void awaitDirect(Running sender, List<Running> jvms) {
    awaitConnections(sender, jvms.size());
    await()
        .until(
            () -> {
              var numbers = send(sender);
              await().until(() -> hasArrived(jvms, numbers));
              return IntStream.range(0, jvms.size())
                  .allMatch(jvm -> jvms.get(jvm).arrived().containsAll(of(numbers, jvm)));
            });
  }

  @Test
  void whatIsForAnEntityGoesToTheJvmThatHasIt() {
    var jvms = List.of(jvm(0), jvm(1), jvm(2));
    var sender = sender();

    awaitDirect(sender, jvms);

    assertThat(IntStream.range(0, CONTRACTS).boxed().map(i -> of(send(sender), 0).size()))
        .allMatch(size -> size > 0 && size < CONTRACTS);
    assertThat(sender.count(TransportCounter.CONNECTIONS_OPENED)).isEqualTo(JVMS);
  }

  /** Each that arrives elsewhere goes on to its JVM within the peer, by one hop more. */
  @Test
  void whatNeedsAHopMoreFallsFromTwoThirdsToNoneOnceThePeerHasSaidSo() {
    var told = places.getAndSet(List.of());
    var jvms = List.of(jvm(0), jvm(1), jvm(2));
    var sender = sender();
    awaitConnections(sender, 1);
    var before = send(sender);
    await().until(() -> hasArrived(jvms, before));
    places.set(told);
    assertThat(elsewhere(before, jvms)).as("without a word").isBetween(CONTRACTS / 2, CONTRACTS);

    awaitDirect(sender, jvms);
    var after = new ArrayList<List<Integer>>();
    for (int round = 0; round < 20; round++) {
      after.add(send(sender));
    }
    await().until(() -> after.stream().allMatch(numbers -> hasArrived(jvms, numbers)));

    assertThat(after).allMatch(numbers -> elsewhere(numbers, jvms) == 0);
  }

  private int elsewhere(List<Integer> numbers, List<Running> jvms) {
    int direct = 0;
    for (int jvm = 0; jvm < jvms.size(); jvm++) {
      var its = new ArrayList<>(of(numbers, jvm));
      its.retainAll(jvms.get(jvm).arrived());
      direct += its.size();
    }
    return numbers.size() - direct;
  }

  @Test
  void itGoesToAnotherJvmOnceThePeerSaysSo() {
    var jvms = List.of(jvm(0), jvm(1), jvm(2));
    var sender = sender();
    awaitDirect(sender, jvms);

    places.set(List.of("jvm2", "jvm0", "jvm1"));

    awaitDirect(sender, jvms);
  }

  @Test
  void aPeerThatSaysNothingHasOneConnection() {
    places.set(List.of());
    var jvms = List.of(jvm(0), jvm(1), jvm(2));
    var sender = sender();
    awaitConnections(sender, 1);

    var numbers = send(sender);

    await().until(() -> hasArrived(jvms, numbers));
    assertThat(jvms.stream().filter(jvm -> !jvm.arrived().isEmpty())).hasSize(1);
    assertThat(sender.count(TransportCounter.CONNECTIONS_OPENED)).isEqualTo(1);
  }

  /** The peer has not noticed yet, and goes on saying that entities are there. */
  @Test
  void whatIsForAJvmThatIsGoneGoesToAnother() {
    var jvms = List.of(jvm(0), jvm(1), jvm(2));
    var sender = sender();
    awaitDirect(sender, jvms);
    jvms.get(1).transport().close();

    var left = List.of(jvms.get(0), jvms.get(2));
    await()
        .until(
            () -> {
              var numbers = send(sender);
              return await().until(() -> hasArrived(left, numbers), arrived -> true)
                  && left.stream().anyMatch(jvm -> jvm.arrived().containsAll(of(numbers, 1)));
            });
    assertThat(sender.count(TransportCounter.CONNECTIONS_FAILED)).isLessThanOrEqualTo(1);
  }
}
