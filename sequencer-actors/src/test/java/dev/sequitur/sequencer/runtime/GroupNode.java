package dev.sequitur.sequencer.runtime;

import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.errand.FoundingErrands;
import dev.sequitur.protocol.founding.Founding;
import dev.sequitur.protocol.founding.FoundingEffect;
import dev.sequitur.protocol.founding.FoundingEffect.Outcome;
import dev.sequitur.protocol.founding.FoundingInput;
import dev.sequitur.protocol.founding.FoundingState;
import dev.sequitur.protocol.founding.Questions;
import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Host;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.sequencer.actor.Founder;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.ScriptedPorts;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/**
 * A node that makes groups with others, without its actors: what it sends is seen, and a test says
 * what the other nodes and the base ledger answer.
 */
final class GroupNode implements FoundingErrands.Edge {
  static final NodeName SELF = new NodeName("node1");
  static final NodeName SECOND = new NodeName("node2");
  static final NodeName THIRD = new NodeName("node3");

  final Arbitrary any;
  final ScriptedPorts ports = new ScriptedPorts();
  final NodeServices services;
  final List<StoredGroup> withdrawn = new ArrayList<>();
  final List<Outcome> outcomes = new ArrayList<>();
  final List<String> warnings = new ArrayList<>();
  private FoundingErrands errands;
  private Host<FoundingInput, FoundingState, Void, FoundingEffect> host;
  private final ArrayDeque<FoundingInput> inbox = new ArrayDeque<>();
  private boolean busy;

  /**
   * @param changed what is about it in place of {@link ScriptedPorts}
   */
  GroupNode(long seed, UnaryOperator<NodeSetup.Ports> changed) {
    any = new Arbitrary(seed);
    var setup = ports.setup(0);
    services = ActorFixture.withoutEntities(setup.withPorts(changed.apply(setup.ports())));
    startAgain();
  }

  /** What it had asked before is answered to nobody. */
  void startAgain() {
    inbox.clear();
    errands = new FoundingErrands(services, services.store(), NodeKeyNames::deployer, this);
    var machine = new Founding(Founder.setup(services)).machine();
    host = new Host<>(machine, machine.initial());
  }

  FoundingState state() {
    return host.state();
  }

  void takeUp() {
    errands.takeUp().toCompletableFuture().getNow(null);
    tell(new FoundingInput.Accepted());
  }

  void make(GroupRequest request) {
    tell(errands.make(request, any.next(TransactionId.class), outcomes::add));
  }

  void tell(FoundingInput input) {
    inbox.add(input);
    if (busy) {
      return;
    }
    busy = true;
    while (!inbox.isEmpty()) {
      var folded = host.fold(List.of(inbox.poll()), services.now());
      services.outbox().send(folded.messages());
      folded.effects().forEach(errands::run);
    }
    busy = false;
  }

  void pass(Duration time) {
    for (var left = time; left.compareTo(Duration.ZERO) > 0; left = left.minus(Questions.RESEND)) {
      ports.advance(Questions.RESEND);
      tell(new FoundingInput.Tick());
    }
  }

  @Override
  public void answer(FoundingInput input) {
    tell(input);
  }

  @Override
  public void withdraw(StoredGroup ended) {
    withdrawn.add(ended);
  }

  @Override
  public boolean isFunded() {
    return false;
  }

  @Override
  public void warnSeldom(String sentence) {
    warnings.add(sentence);
  }

  @Override
  public void warn(String sentence) {
    warnings.add(sentence);
  }

  @Override
  public void warn(String sentence, Throwable why) {
    warnings.add(sentence);
  }

  @Override
  public void say(String sentence) {}

  /** The messages of a kind that a node was sent, oldest first. */
  <M extends Message> List<M> sentTo(NodeName node, Class<M> kind) {
    return ports.envelopes().stream()
        .filter(sent -> sent.to().equals(node))
        .map(Envelope::payload)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  /** A node tells a key that it was asked for. */
  void tellKey(NodeName node, Verifier verifier) {
    var asked = sentTo(node, ResolveVerifierRequest.class).getLast();
    var answer = new ResolveVerifierResponse(asked.requestId(), asked.identity(), verifier);
    tell(new FoundingInput.Answered(node, answer));
  }

  /** A member's node takes part in what it was given last. */
  void acknowledge(NodeName node) {
    var given = lastGiven(node);
    tell(
        new FoundingInput.Answered(
            node, new GroupGenesisAcknowledgement(given.requestId(), given.genesis().group())));
  }

  /** A member's node takes no part in what it was given last. */
  void reject(NodeName node, GenesisFlaw flaw) {
    var given = lastGiven(node);
    tell(
        new FoundingInput.Answered(
            node, new GroupGenesisRejected(given.requestId(), given.genesis().group(), flaw)));
  }

  private GroupGenesis lastGiven(NodeName node) {
    return sentTo(node, GroupGenesis.class).getLast();
  }

  /** What the base ledger says to what it is sent from now on. */
  void ledgerAnswers(SubmitOutcome outcome) {
    ports.answerSubmissions(CompletableFuture.completedFuture(List.of(outcome)));
  }

  void ledgerTakes() {
    ledgerAnswers(new SubmitOutcome.Pooled(any.next(TransactionHash.class)));
  }

  void ledgerIsAway() {
    ports.answerSubmissions(CompletableFuture.failedFuture(new IllegalStateException("Gone.")));
  }

  /** The group as the indexer reads it once its contract stands. */
  PrivacyGroup indexed(Deployment deployment) {
    var genesis = deployment.genesis();
    return new PrivacyGroup(
        genesis.group(),
        ports.newGroup().chainId(),
        any.next(ContractAddress.class),
        deployment.domain(),
        genesis.name(),
        genesis.committee(),
        1,
        genesis.configuration());
  }
}
