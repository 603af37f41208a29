package dev.sequitur.sequencer.runtime;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.sequitur.fixture.Arbitrary;
import dev.sequitur.protocol.group.GenesisFlaw;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.MessageId;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionHash;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.message.Envelope;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ProtocolVersion;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.sequencer.actor.NodeServices;
import dev.sequitur.sequencer.actor.ScriptedPorts;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;

/**
 * A node that makes groups with others, without its actors: what it sends is seen, and a test says
 * what the other nodes and the base ledger answer.
 */
final class GroupNode {
  static final NodeName SELF = new NodeName("node1");
  static final NodeName SECOND = new NodeName("node2");
  static final NodeName THIRD = new NodeName("node3");

  /** Who has not answered for so long is not waited for. */
  static final Duration GIVEN_UP = Duration.ofSeconds(10);

  final Arbitrary any;
  final ScriptedPorts ports = new ScriptedPorts();
  final ManualTimers timers = new ManualTimers();
  final NodeServices services;
  private NodeQuestions questions;
  private GenesisDistribution distribution;

  /** One whose store is as {@link ScriptedPorts} have it. */
  GroupNode(long seed) {
    this(seed, UnaryOperator.identity());
  }

  /**
   * @param changed what is about it in place of {@link ScriptedPorts}
   */
  GroupNode(long seed, UnaryOperator<NodeSetup.Ports> changed) {
    any = new Arbitrary(seed);
    var setup = ports.setup(0);
    services =
        ActorFixture.withoutEntities(
            new NodeSetup(
                setup.self(),
                changed.apply(setup.ports()),
                setup.domains(),
                setup.rules(),
                setup.trace(),
                setup.registry(),
                setup.clock()));
    startAgain();
  }

  /** What it had asked before is answered to nobody. */
  void startAgain() {
    questions = new NodeQuestions(SELF, services.outbox(), envelope -> {}, timers);
    distribution = new GenesisDistribution(services, questions);
  }

  NodeQuestions questions() {
    return questions;
  }

  GenesisDistribution distribution() {
    return distribution;
  }

  Envelope envelope(NodeName from, Message message) {
    return new Envelope(
        ProtocolVersion.CURRENT,
        any.next(MessageId.class),
        Optional.empty(),
        from,
        SELF,
        List.of(),
        message);
  }

  void receive(NodeName from, Message.OfGroup message) {
    distribution.receive(envelope(from, message), message);
  }

  /** The messages of a kind that a node was sent, oldest first. */
  <M extends Message> List<M> sentTo(NodeName node, Class<M> kind) {
    return ports.envelopes().stream()
        .filter(sent -> sent.to().equals(node))
        .map(Envelope::payload)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  /** A member's node takes part in what it was given last. */
  void acknowledge(NodeName node) {
    receive(node, acknowledgement(lastGiven(node)));
  }

  static GroupGenesisAcknowledgement acknowledgement(GroupGenesis given) {
    return new GroupGenesisAcknowledgement(given.requestId(), given.genesis().group());
  }

  /** A member's node takes no part in what it was given last. */
  void reject(NodeName node, GenesisFlaw flaw) {
    var given = lastGiven(node);
    receive(node, new GroupGenesisRejected(given.requestId(), given.genesis().group(), flaw));
  }

  GroupGenesis lastGiven(NodeName node) {
    return sentTo(node, GroupGenesis.class).getLast();
  }

  /** A member's node knows that what it was told of last is never made. */
  void withdrawn(NodeName node) {
    withdrawn(node, sentTo(node, GroupWithdrawal.class).getLast());
  }

  void withdrawn(NodeName from, GroupWithdrawal told) {
    receive(from, new GroupWithdrawalAcknowledgement(told.requestId(), told.group()));
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

  /** What a class says in the log while something happens. */
  static List<ILoggingEvent> logged(Class<?> by, Runnable what) {
    var lines = new ListAppender<ILoggingEvent>();
    var logger = (Logger) LoggerFactory.getLogger(by);
    lines.start();
    logger.addAppender(lines);
    try {
      what.run();
    } finally {
      logger.detachAppender(lines);
    }
    return lines.list;
  }
}
