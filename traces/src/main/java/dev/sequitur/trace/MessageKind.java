package dev.sequitur.trace;

import dev.sequitur.protocol.message.AssembleError;
import dev.sequitur.protocol.message.AssembleRequest;
import dev.sequitur.protocol.message.AssembleResponse;
import dev.sequitur.protocol.message.ChangeSignatures;
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
import dev.sequitur.protocol.message.StateContentsRequest;
import dev.sequitur.protocol.message.StateContentsResponse;
import dev.sequitur.protocol.message.StateDistribution;
import dev.sequitur.protocol.message.StateDistributionAcknowledgement;
import dev.sequitur.protocol.message.StateErasure;
import dev.sequitur.protocol.message.StateErasure.StateErasureAnswer;
import dev.sequitur.protocol.message.SubmitterHeartbeatNotification;
import dev.sequitur.protocol.message.TraceRequest;
import dev.sequitur.protocol.message.TraceResponse;
import dev.sequitur.protocol.message.TransactionReverted;
import dev.sequitur.protocol.message.TransactionRevertedAcknowledgement;
import dev.sequitur.protocol.text.Counted;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What a trace tells of one type of message.
 *
 * @param name the specification's
 * @param detail a few words without private data: reasons, heights, counts
 */
record MessageKind(
    String name,
    Exchange exchange,
    MessageRole from,
    MessageRole to,
    Function<Message, String> detail) {

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
  private static final Map<String, MessageKind> BY_NAME = new TreeMap<>();

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
    new Ends(MessageRole.SENDER, MessageRole.COORDINATOR)
        .asks(
            DelegationCommand.class,
            message -> transactions(message) + ", block height " + message.blockHeight())
        .answers(DelegationAccepted.class, MessageKind::transactions)
        .answers(DelegationRejected.class, message -> reason(message.rejectReason()));
  }

  private static void assembly() {
    new Ends(MessageRole.COORDINATOR, MessageRole.SENDER)
        .asks(
            AssembleRequest.class,
            message -> transactions(message) + ", block height " + message.blockHeight())
        .answers(
            AssembleResponse.class,
            message ->
                Counted.of(message.postAssembly().inputs().size(), "input")
                    + ", "
                    + Counted.of(message.postAssembly().outputs().size(), "output"))
        .answers(AssembleError.class, message -> camelCase(message.reason()));
  }

  private static void endorsement() {
    new Ends(MessageRole.COORDINATOR, MessageRole.ENDORSER)
        .asks(
            EndorsementRequest.class,
            message ->
                transactions(message)
                    + " to "
                    + message.party()
                    + ", block height "
                    + message.blockHeight())
        .answers(
            EndorsementResponse.class,
            message ->
                message.party()
                    + ": "
                    + message.endorsed().size()
                    + " endorsed, "
                    + message.refused().size()
                    + " refused")
        .answers(
            EndorsementError.class, message -> message.party() + ": " + reason(message.reason()));
  }

  private static void notifications() {
    new Ends(MessageRole.COORDINATOR, MessageRole.SENDER)
        .tells(CoordinatorHeartbeatNotification.class, MessageKind::transactions);
    new Ends(MessageRole.SUBMITTER, MessageRole.SENDER)
        .tells(SubmitterHeartbeatNotification.class, MessageKind::transactions);
    new Ends(MessageRole.COORDINATOR, MessageRole.SENDER)
        .asks(StartupNotification.class, message -> "")
        .answers(StartupNotificationAcknowledgement.class, message -> "");
    new Ends(MessageRole.SENDER, MessageRole.ENDORSER)
        .asks(ResolveVerifierRequest.class, message -> message.identity().toString())
        .answers(ResolveVerifierResponse.class, message -> message.identity().toString())
        .answers(ResolveVerifierError.class, message -> message.identity().toString())
        .asks(GroupGenesis.class, message -> message.genesis().group().toString())
        .answers(GroupGenesisAcknowledgement.class, message -> message.group().toString())
        .answers(GroupGenesisRejected.class, message -> message.group() + ": " + message.flaw())
        .asks(GroupWithdrawal.class, message -> message.group().toString())
        .answers(GroupWithdrawalAcknowledgement.class, message -> message.group().toString())
        .tells(
            ChangeSignatures.class,
            message ->
                "change "
                    + message.change().number()
                    + ", "
                    + Counted.of(message.signatures().size(), "signature"));
  }

  private static void dispatch() {
    new Ends(MessageRole.COORDINATOR, MessageRole.SENDER)
        .asks(RequestDispatchConfirmation.class, MessageKind::transactions)
        .answers(DispatchConfirmationResponse.class, MessageKind::leave);
    new Ends(MessageRole.COORDINATOR, MessageRole.SUBMITTER)
        .asks(Dispatch.class, message -> "range " + message.range());
    new Ends(MessageRole.SUBMITTER, MessageRole.SENDER)
        .tells(Dispatched.class, message -> "submitter " + message.submitter());
    new Ends(MessageRole.COORDINATOR, MessageRole.SENDER)
        .asks(
            TransactionReverted.class,
            message -> message.retryable() ? "can be tried again" : "final")
        .answers(TransactionRevertedAcknowledgement.class, message -> "");
  }

  private static void distribution() {
    new Ends(MessageRole.STORE, MessageRole.STORE)
        .asks(StateDistribution.class, message -> Counted.of(message.items().size(), "state"))
        .answers(StateDistributionAcknowledgement.class, message -> "")
        .asks(StateContentsRequest.class, message -> Counted.of(message.states().size(), "state"))
        .answers(
            StateContentsResponse.class, message -> Counted.of(message.states().size(), "state"))
        .asks(StateErasure.class, message -> Counted.of(message.states().size(), "state"))
        .answers(StateErasureAnswer.class, message -> message.erased() ? "" : "refused")
        .asks(GroupMessages.class, message -> Counted.of(message.contents().size(), "message"))
        .answers(GroupMessagesAcknowledgement.class, message -> message.again() ? "again" : "");
    new Ends(MessageRole.COORDINATOR, MessageRole.SENDER)
        .asks(
            PreparedTransactionDistribution.class,
            message -> Counted.of(message.outputs().size(), "output"))
        .answers(PreparedTransactionAcknowledgement.class, message -> "");
  }

  private static void tracing() {
    new Ends(MessageRole.SENDER, MessageRole.SENDER)
        .asks(TraceRequest.class, message -> "")
        .answers(
            TraceResponse.class,
            message -> Counted.of(message.part().messages().size(), "message"));
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

  /** The names of all. */
  static Set<String> names() {
    return Collections.unmodifiableSet(BY_NAME.keySet());
  }

  static Optional<MessageKind> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** Who speaks: a reverted base-ledger transaction is told of by the submitter (SUB-5). */
  MessageRole fromRole(Message message) {
    return message instanceof TransactionReverted reverted && reverted.transactionHash().isPresent()
        ? MessageRole.SUBMITTER
        : from;
  }

  /**
   * Between whom an exchange is, and what each of its messages tells.
   *
   * @param from who begins it
   */
  private record Ends(MessageRole from, MessageRole to) {
    <M extends Message> Ends asks(Class<M> type, Function<M, String> detail) {
      return row(type, Exchange.REQUEST, detail);
    }

    <M extends Message> Ends answers(Class<M> type, Function<M, String> detail) {
      new Ends(to, from).row(type, Exchange.REPLY, detail);
      return this;
    }

    <M extends Message> Ends tells(Class<M> type, Function<M, String> detail) {
      return row(type, Exchange.DATAGRAM, detail);
    }

    private <M extends Message> Ends row(
        Class<M> type, Exchange exchange, Function<M, String> detail) {
      BY_TYPE.put(
          type,
          new MessageKind(
              type.getSimpleName(),
              exchange,
              from,
              to,
              message -> detail.apply(type.cast(message))));
      return this;
    }
  }

  private static String transactions(Message message) {
    return Counted.of(message.transactions().size(), "transaction");
  }

  private static String reason(DelegationRejected.Reason reason) {
    return switch (reason) {
      case DelegationRejected.MismatchedBlockHeight(var provided, var observed) ->
          "MismatchedBlockHeight: provided " + provided + ", observed " + observed;
      case DelegationRejected.NotPreferredCoordinator other ->
          "NotPreferredCoordinator: " + other.preferredCoordinator();
      case DelegationRejected.Overloaded(var retryAfter) ->
          "Overloaded: retry after " + retryAfter.toMillis() + " ms";
      // Why is another node's own text.
      case DelegationRejected.CannotSubmit ignored -> "CannotSubmit";
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
      case EndorsementError.CannotEndorseNow() -> "CannotEndorseNow";
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
