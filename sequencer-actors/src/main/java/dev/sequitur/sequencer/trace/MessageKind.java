package dev.sequitur.sequencer.trace;

import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.CoordinatorHeartbeatNotification;
import dev.sequitur.protocol.message.DelegationAccepted;
import dev.sequitur.protocol.message.DelegationCommand;
import dev.sequitur.protocol.message.DelegationRejected;
import dev.sequitur.protocol.message.Dispatch;
import dev.sequitur.protocol.message.DispatchConfirmationResponse;
import dev.sequitur.protocol.message.Dispatched;
import dev.sequitur.protocol.message.EndorsementError;
import dev.sequitur.protocol.message.EndorsementRequest;
import dev.sequitur.protocol.message.EndorsementResponse;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupMessages;
import dev.sequitur.protocol.message.GroupMessagesAcknowledgement;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.PreparedTransactionAcknowledgement;
import dev.sequitur.protocol.message.PreparedTransactionDistribution;
import dev.sequitur.protocol.message.RequestDispatchConfirmation;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.message.StartupNotification;
import dev.sequitur.protocol.message.StartupNotificationAcknowledgement;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TraceRequest;
import dev.sequitur.protocol.message.TraceResponse;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a trace tells of one type of message.
 *
 * @param name the specification's
 * @param detail a few words without private data: reasons, heights, counts
 */
record MessageKind(
    String name, Exchange exchange, Role from, Role to, Function<Message, String> detail) {

  /** In which part of an exchange a message stands. */
  enum Exchange {
    /** Is answered, or is a notification that is resent until it is. */
    REQUEST("->>"),
    /** Answers another. */
    REPLY("-->>"),
    /** Is neither answered nor resent. */
    DATAGRAM("-)");

    private final String arrow;

    Exchange(String arrow) {
      this.arrow = arrow;
    }

    /** As Mermaid writes it. */
    String arrow() {
      return arrow;
    }
  }

  private static final Map<Class<? extends Message>, MessageKind> BY_TYPE = new HashMap<>();
  private static final Map<String, MessageKind> BY_NAME = new HashMap<>();

  static {
    delegation();
    assembly();
    endorsement();
    notifications();
    dispatch();
    distribution();
    tracing();
    BY_TYPE.values().forEach(kind -> BY_NAME.put(kind.name, kind));
  }

  private static void delegation() {
    row(
        DelegationCommand.class,
        kind(Exchange.REQUEST, Role.SENDER, Role.COORDINATOR),
        message -> transactions(message) + ", block height " + message.blockHeight());
    row(
        DelegationAccepted.class,
        kind(Exchange.REPLY, Role.COORDINATOR, Role.SENDER),
        MessageKind::transactions);
    row(
        DelegationRejected.class,
        kind(Exchange.REPLY, Role.COORDINATOR, Role.SENDER),
        message -> reason(message.rejectReason()));
  }

  private static void assembly() {
    row(
        AssembleRequest.class,
        kind(Exchange.REQUEST, Role.COORDINATOR, Role.SENDER),
        message -> transactions(message) + ", block height " + message.blockHeight());
    row(
        AssembleResponse.class,
        kind(Exchange.REPLY, Role.SENDER, Role.COORDINATOR),
        message ->
            count(message.postAssembly().inputs().size(), "input")
                + ", "
                + count(message.postAssembly().outputs().size(), "output"));
    row(
        AssembleError.class,
        kind(Exchange.REPLY, Role.SENDER, Role.COORDINATOR),
        message -> camelCase(message.reason()));
  }

  private static void endorsement() {
    row(
        EndorsementRequest.class,
        kind(Exchange.REQUEST, Role.COORDINATOR, Role.ENDORSER),
        message ->
            transactions(message)
                + " to "
                + message.party()
                + ", block height "
                + message.blockHeight());
    row(
        EndorsementResponse.class,
        kind(Exchange.REPLY, Role.ENDORSER, Role.COORDINATOR),
        message ->
            message.party()
                + ": "
                + message.endorsed().size()
                + " endorsed, "
                + message.refused().size()
                + " refused");
    row(
        EndorsementError.class,
        kind(Exchange.REPLY, Role.ENDORSER, Role.COORDINATOR),
        message -> message.party() + ": " + reason(message.reason()));
  }

  private static void notifications() {
    row(
        CoordinatorHeartbeatNotification.class,
        kind(Exchange.DATAGRAM, Role.COORDINATOR, Role.SENDER),
        MessageKind::transactions);
    row(
        SubmitterHeartbeatNotification.class,
        kind(Exchange.DATAGRAM, Role.SUBMITTER, Role.SENDER),
        MessageKind::transactions);
    row(
        StartupNotification.class,
        kind(Exchange.REQUEST, Role.COORDINATOR, Role.SENDER),
        message -> "");
    row(
        StartupNotificationAcknowledgement.class,
        kind(Exchange.REPLY, Role.SENDER, Role.COORDINATOR),
        message -> "");
    row(
        ResolveVerifierRequest.class,
        kind(Exchange.REQUEST, Role.SENDER, Role.ENDORSER),
        message -> message.identity().toString());
    row(
        ResolveVerifierResponse.class,
        kind(Exchange.REPLY, Role.ENDORSER, Role.SENDER),
        message -> message.identity().toString());
    row(
        ResolveVerifierError.class,
        kind(Exchange.REPLY, Role.ENDORSER, Role.SENDER),
        message -> message.identity().toString());
    row(
        GroupGenesis.class,
        kind(Exchange.REQUEST, Role.SENDER, Role.ENDORSER),
        message -> message.genesis().group().toString());
    row(
        GroupGenesisAcknowledgement.class,
        kind(Exchange.REPLY, Role.ENDORSER, Role.SENDER),
        message -> message.group().toString());
    row(
        GroupGenesisRejected.class,
        kind(Exchange.REPLY, Role.ENDORSER, Role.SENDER),
        message -> message.group() + ": " + message.flaw());
    row(
        GroupWithdrawal.class,
        kind(Exchange.REQUEST, Role.SENDER, Role.ENDORSER),
        message -> message.group().toString());
    row(
        GroupWithdrawalAcknowledgement.class,
        kind(Exchange.REPLY, Role.ENDORSER, Role.SENDER),
        message -> message.group().toString());
  }

  private static void dispatch() {
    row(
        RequestDispatchConfirmation.class,
        kind(Exchange.REQUEST, Role.COORDINATOR, Role.SENDER),
        MessageKind::transactions);
    row(
        DispatchConfirmationResponse.class,
        kind(Exchange.REPLY, Role.SENDER, Role.COORDINATOR),
        MessageKind::leave);
    row(
        Dispatch.class,
        kind(Exchange.REQUEST, Role.COORDINATOR, Role.SUBMITTER),
        message -> "range " + message.range());
    row(
        Dispatched.class,
        kind(Exchange.DATAGRAM, Role.SUBMITTER, Role.SENDER),
        message -> "submitter " + message.submitter());
    row(
        TransactionReverted.class,
        kind(Exchange.REQUEST, Role.COORDINATOR, Role.SENDER),
        message -> message.retryable() ? "can be tried again" : "final");
    row(
        TransactionRevertedAcknowledgement.class,
        kind(Exchange.REPLY, Role.SENDER, Role.COORDINATOR),
        message -> "");
  }

  private static void distribution() {
    row(
        StateDistribution.class,
        kind(Exchange.REQUEST, Role.STORE, Role.STORE),
        message -> count(message.items().size(), "state"));
    row(
        StateDistributionAcknowledgement.class,
        kind(Exchange.REPLY, Role.STORE, Role.STORE),
        message -> "");
    row(
        GroupMessages.class,
        kind(Exchange.REQUEST, Role.STORE, Role.STORE),
        message -> count(message.contents().size(), "message"));
    row(
        GroupMessagesAcknowledgement.class,
        kind(Exchange.REPLY, Role.STORE, Role.STORE),
        message -> message.again() ? "again" : "");
    row(
        PreparedTransactionDistribution.class,
        kind(Exchange.REQUEST, Role.COORDINATOR, Role.SENDER),
        message -> count(message.outputs().size(), "output"));
    row(
        PreparedTransactionAcknowledgement.class,
        kind(Exchange.REPLY, Role.SENDER, Role.COORDINATOR),
        message -> "");
  }

  private static void tracing() {
    row(TraceRequest.class, kind(Exchange.REQUEST, Role.SENDER, Role.SENDER), message -> "");
    row(
        TraceResponse.class,
        kind(Exchange.REPLY, Role.SENDER, Role.SENDER),
        message -> count(message.part().messages().size(), "message"));
  }

  /**
   * @throws IllegalArgumentException if the table has no row for it: a test proves that it has one
   *     for each message
   */
  static MessageKind of(Message message) {
    var kind = BY_TYPE.get(message.getClass());
    if (kind == null) {
      throw new IllegalArgumentException("No row for " + message.getClass().getName());
    }
    return kind;
  }

  static Optional<MessageKind> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** Who speaks: a reverted base-ledger transaction is told of by the submitter (SUB-5). */
  Role fromRole(Message message) {
    return message instanceof TransactionReverted reverted && reverted.transactionHash().isPresent()
        ? Role.SUBMITTER
        : from;
  }

  private record Ends(Exchange exchange, Role from, Role to) {}

  private static Ends kind(Exchange exchange, Role from, Role to) {
    return new Ends(exchange, from, to);
  }

  private static <M extends Message> void row(
      Class<M> type, Ends ends, Function<M, String> detail) {
    BY_TYPE.put(
        type,
        new MessageKind(
            type.getSimpleName(),
            ends.exchange,
            ends.from,
            ends.to,
            message -> detail.apply(type.cast(message))));
  }

  private static String transactions(Message message) {
    return count(message.transactions().size(), "transaction");
  }

  private static String count(int number, String noun) {
    return number == 1 ? "1 " + noun : number + " " + noun + "s";
  }

  private static String reason(DelegationRejected.Reason reason) {
    return switch (reason) {
      case DelegationRejected.MismatchedBlockHeight(var provided, var observed) ->
          "MismatchedBlockHeight: provided " + provided + ", observed " + observed;
      case DelegationRejected.NotPreferredCoordinator other ->
          "NotPreferredCoordinator: " + other.preferredCoordinator();
      case DelegationRejected.Overloaded(var retryAfter) ->
          "Overloaded: retry after " + retryAfter.toMillis() + " ms";
    };
  }

  /** The domain's own words for a refusal are left out. */
  private static String reason(EndorsementError.Reason reason) {
    return switch (reason) {
      case EndorsementError.MismatchedBlockHeight(var observed) ->
          "MismatchedBlockHeight: observed " + observed;
      case EndorsementError.NotPreferredCoordinator(var preferred) ->
          "NotPreferredCoordinator: " + preferred;
      case EndorsementError.Refused ignored -> "Refused";
    };
  }

  /** {@code HASH_MISMATCH} as the specification writes it: HashMismatch. */
  private static String leave(DispatchConfirmationResponse message) {
    var reasons =
        message.denied().stream().map(each -> camelCase(each.reason())).distinct().toList();
    return message.granted().size()
        + " granted, "
        + message.denied().size()
        + " denied"
        + (reasons.isEmpty() ? "" : ": " + String.join(", ", reasons));
  }

  private static String camelCase(Enum<?> constant) {
    var name = new StringBuilder();
    for (var word : constant.name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }
}
