package dev.sequitur.simulation;

import dev.sequitur.protocol.errand.FoundingErrands;
import dev.sequitur.protocol.errand.JoiningErrands;
import dev.sequitur.protocol.founding.Founding;
import dev.sequitur.protocol.founding.FoundingEffect;
import dev.sequitur.protocol.founding.FoundingEffect.Outcome;
import dev.sequitur.protocol.founding.FoundingInput;
import dev.sequitur.protocol.founding.FoundingSetup;
import dev.sequitur.protocol.founding.FoundingState;
import dev.sequitur.protocol.founding.Joining;
import dev.sequitur.protocol.founding.Withdrawals;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.machine.Outgoing;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The other edge of what Founder is one of, and of what answers other nodes' questions. */
final class FoundingShell extends Shell<FoundingInput, FoundingState, Void, FoundingEffect>
    implements FoundingErrands.Edge, JoiningErrands.Edge {
  private final FoundingErrands errands;
  private final JoiningErrands joining;
  private final WithdrawalsShell withdrawals;

  /** The groups whose contracts this life has seen, or found on the disk. */
  private final Set<GroupId> standing = new HashSet<>();

  FoundingShell(NodeLife node) {
    super(node, "founding", new Founding(setup(node)).machine(), new ArrayList<>());
    this.errands =
        new FoundingErrands(
            node.surroundings(), node.groups(), group -> "deployer." + group.value(), this);
    var rules = node.simulation().foundings().rules(node.name(), node.keys());
    this.joining = new JoiningErrands(node.groups(), new Joining(rules), node::now, this);
    this.withdrawals = new WithdrawalsShell(node, incarnation(node) + "withdrawal-", errands::run);
    for (var group : node.disk().groups.values()) {
      if (group.group().isPresent()) {
        standing.add(group.id());
      }
    }
  }

  private static String incarnation(NodeLife node) {
    return node.name() + "-" + node.home().lives() + "-";
  }

  private static FoundingSetup setup(NodeLife node) {
    return new FoundingSetup(
        incarnation(node),
        node.simulation().foundings().rules(node.name(), node.keys()),
        node.simulation().setup().gas(),
        verifier -> true,
        (configuration, committee) -> new Quorum(committee, committee.members().size()));
  }

  WithdrawalsShell withdrawals() {
    return withdrawals;
  }

  /** As the actor: takes up what is stored, then what is accepted. */
  void begin() {
    var unused = errands.takeUp().thenRun(() -> node.later(Duration.ZERO, this::accepted));
  }

  /** Transactions that make groups may have been accepted. */
  void accepted() {
    tell(new FoundingInput.Accepted());
  }

  /** From a caller. */
  void make(GroupRequest request, TransactionId genesis, Consumer<Outcome> answer) {
    tell(errands.make(request, genesis, answer));
  }

  /** A contract of a group is in a final block. */
  void stands(GroupId group) {
    standing.add(group);
  }

  void look() {
    if (!state().makings().isEmpty()) {
      var those = new HashSet<>(standing);
      those.retainAll(state().makings().keySet());
      tell(new FoundingInput.Standing(those));
    }
    tick();
    withdrawals.tick();
  }

  void receive(Envelope envelope, Message.OfVerifier message) {
    switch (message) {
      case ResolveVerifierRequest request ->
          joining.receive(envelope.from(), envelope.messageId(), request);
      case ResolveVerifierResponse response ->
          answered(envelope.from(), response.requestId(), response);
      case ResolveVerifierError error -> answered(envelope.from(), error.requestId(), error);
    }
  }

  void receive(Envelope envelope, Message.OfGroup message) {
    switch (message) {
      case GroupGenesis given -> joining.receive(envelope.from(), envelope.messageId(), given);
      case GroupWithdrawal withdrawal ->
          joining.receive(envelope.from(), envelope.messageId(), withdrawal);
      case GroupGenesisAcknowledgement answer ->
          answered(envelope.from(), answer.requestId(), answer);
      case GroupGenesisRejected answer -> answered(envelope.from(), answer.requestId(), answer);
      case GroupWithdrawalAcknowledgement answer ->
          answered(envelope.from(), answer.requestId(), answer);
    }
  }

  /** Whichever JVM of the node has asked. */
  private void answered(NodeName from, RequestId question, Message answer) {
    for (var jvm : node.fellows()) {
      jvm.founding().take(from, question, answer);
    }
  }

  private void take(NodeName from, RequestId question, Message answer) {
    if (state().questions().awaits(from, question)) {
      tell(new FoundingInput.Answered(from, answer));
    } else if (withdrawals.state().questions().awaits(from, question)) {
      withdrawals.tell(new Withdrawals.Input.Acknowledged(from, question));
    }
  }

  @Override
  ContractAddress contract() {
    throw new IllegalStateException("It is for groups without a contract, and stores nothing.");
  }

  @Override
  void perform(List<FoundingEffect> effects, Runnable whenDurable) {
    effects.forEach(errands::run);
    whenDurable.run();
  }

  @Override
  public void answer(FoundingInput input) {
    node.later(Duration.ZERO, () -> tell(input));
  }

  @Override
  public void withdraw(StoredGroup ended) {
    node.later(Duration.ZERO, () -> withdrawals.tell(new Withdrawals.Input.Ended(ended)));
  }

  @Override
  public boolean isFunded() {
    return node.simulation().setup().funding().isPresent();
  }

  @Override
  public void send(Outgoing answer) {
    node.later(Duration.ZERO, () -> node.send(answer));
  }

  @Override
  public void warnSeldom(String sentence) {
    node.trace("founding", sentence);
  }

  @Override
  public void warn(String sentence) {
    node.trace("founding", sentence);
  }

  @Override
  public void warn(String sentence, Throwable why) {
    throw new AssertionError(sentence, why);
  }

  @Override
  public void say(String sentence) {
    node.trace("founding", sentence);
  }
}
