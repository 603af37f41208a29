package dev.sequitur.multijvm;

import static org.awaitility.Awaitility.await;

import dev.sequitur.node.network.Group;
import dev.sequitur.node.network.Intents;
import dev.sequitur.node.network.Network;
import dev.sequitur.node.network.Parties;
import java.util.List;

/**
 * Holds transactions of one sender at the persistence points (RCV-5), each in a group of its own
 * that another node coordinates, by losing the message that would take it on. A message is sent
 * again and again, so a transaction goes on as soon as nothing is lost any more.
 */
final class PersistencePoints {
  private static final int LAG = 1_000;

  /** So few nodes that all but the sender must coordinate. */
  private static final int FEW = 3;

  private final Network network;
  private final Intents intents;
  private final int sender;

  PersistencePoints(Network network, Intents intents, int sender) {
    this.network = network;
    this.intents = intents;
    this.sender = sender;
  }

  /** One between each two points from 2S to 5S, and one more after 5S. */
  void holdOneAtEach() {
    holdAfter2S();
    holdAfter3S();
    holdAfter4S();
    holdBefore5S();
    holdAfter5S();
  }

  /** Coordinated by neither the sender nor the node that {@link #unseenIn} leaves alone. */
  private Group group() {
    int last = network.nodes();
    return Group.where(
        network,
        network.nodes(),
        ranking -> ranking.get(0) != sender && (last == FEW || ranking.get(0) != last));
  }

  /** Stored, and the caller has its id; nobody else has heard of it. */
  private void holdAfter2S() {
    var group = group();
    network.jvms(sender).forEach(jvm -> jvm.faults().drop(group, "DelegationCommand"));
    var id = intents.send(sender, group);
    group.awaitState(network, sender, id, List.of("Delegating"));
  }

  /** The coordinator has it in its memory. */
  private void holdAfter3S() {
    var group = group();
    dropAtCoordinator(group, "AssembleRequest");
    var id = intents.send(sender, group);
    group.awaitCoordinated(network, id, "ASSEMBLING");
  }

  /** Assembled; endorsements are missing. */
  private void holdAfter4S() {
    var group = group();
    dropAtCoordinator(group, "EndorsementRequest");
    var id = intents.send(sender, group);
    group.awaitCoordinated(network, id, "ATTESTATION");
  }

  /** Endorsed; the sender has not been asked yet whether it may be dispatched. */
  private void holdBefore5S() {
    var group = group();
    dropAtCoordinator(group, "RequestDispatchConfirmation");
    var id = intents.send(sender, group);
    group.awaitCoordinated(network, id, "CONFIRMATION");
  }

  /** The sender has said yes, and the coordinator has not heard it. */
  private void holdAfter5S() {
    var group = group();
    network.jvms(sender).forEach(jvm -> jvm.faults().drop(group, "DispatchConfirmationResponse"));
    var id = intents.send(sender, group);
    group.awaitState(network, sender, id, List.of("Prepared"));
  }

  /**
   * Before 6S: the ledger has fulfilled it, and the sender does not see the block. From then on it
   * sees no block at all. Comes last.
   *
   * @return the transaction's id
   */
  String holdOneThatIsInABlockUnseen() {
    var group = Group.where(network, network.nodes(), this::unseenIn);
    dropAtCoordinator(group, "RequestDispatchConfirmation");
    var id = intents.send(sender, group);
    group.awaitCoordinated(network, id, "CONFIRMATION");
    network.jvms(sender).forEach(jvm -> jvm.faults().lag(LAG));
    network.jvms(group.coordinator()).forEach(jvm -> jvm.faults().clear());
    await().atMost(Parties.PATIENCE).until(() -> network.oracle().has(id));
    if (!intents.receipt(sender, id).isNull()) {
      throw new AssertionError("The sender sees the block");
    }
    return id;
  }

  /**
   * Before 6S: it is dispatched, and the ledger stands still. Comes last.
   *
   * @return the transaction's id
   */
  String holdOneThatIsInNoBlockYet() {
    var group = group();
    network.freezeLedger(group);
    var id = intents.send(sender, group);
    group.awaitState(network, sender, id, List.of("Dispatched"));
    return id;
  }

  private boolean unseenIn(List<Integer> ranking) {
    return ranking.get(0) == network.nodes();
  }

  private void dropAtCoordinator(Group group, String message) {
    network.jvms(group.coordinator()).forEach(jvm -> jvm.faults().drop(group, message));
  }
}
