package dev.sequitur.node.rpc.method;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.ethereum.ContractAbi;
import dev.sequitur.json.Formats;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.json.Unreadable;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.port.Domain;
import dev.sequitur.protocol.port.IdempotencyKey;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.NumberedReceipt;
import dev.sequitur.protocol.port.NodeStore.Prepared;
import dev.sequitur.protocol.port.PublicContracts;
import dev.sequitur.protocol.sender.TransactionState;
import dev.sequitur.protocol.submitter.SubmitterState.Underway;
import dev.sequitur.protocol.transaction.NewGroup;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PrivateState;
import dev.sequitur.protocol.transaction.PrivateTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Receipt;
import dev.sequitur.protocol.transaction.Receipt.Course;
import dev.sequitur.protocol.transaction.Receipt.Happened;
import dev.sequitur.protocol.transaction.Receipt.OnLedger;
import dev.sequitur.protocol.transaction.Signature;
import dev.sequitur.protocol.transaction.SubmitMode;
import dev.sequitur.sequencer.view.TransactionStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Transactions and receipts in the shapes that clients of the field know. */
public final class TransactionShapes {
  private TransactionShapes() {}

  static final ObjectShape<Intent> TRANSACTION =
      ObjectShape.<Intent>named("Transaction")
          .with("id", Formats.TRANSACTION_ID, intent -> intent.transaction().id())
          .with("created", Formats.TIME, Intent::created)
          .with(
              "submitMode",
              Shape.among(SubmitMode.class, TransactionShapes::word),
              TransactionShapes::submitMode,
              "`auto`, or `external` if its caller submits it")
          .maybe(
              "idempotencyKey", Formats.NAME, it -> it.idempotencyKey().map(IdempotencyKey::name))
          .with(
              "type",
              TransactionKind.SHAPE,
              intent -> TransactionKind.of(intent.transaction()),
              "`private` or `public`")
          .maybe("domain", Formats.NAME, TransactionShapes::domain, "of a private one")
          .maybe("function", Formats.NAME, TransactionShapes::function)
          .with("from", Formats.IDENTITY, intent -> intent.transaction().from())
          .maybe(
              "to",
              Formats.ADDRESS,
              TransactionShapes::to,
              "the group's contract, or that which a public one calls; none if it makes one of either"
                  + " kind")
          .with(
              "data",
              Shape.ANY,
              TransactionShapes::data,
              "as it was sent; of a public one without parameters, what goes to the chain, in hex")
          .maybe(
              "abiReference",
              Formats.HASH,
              AbiReferences::of,
              "of a public one: the ABI that it came with or referred to; ptx_getStoredABI has it"
                  + " if it was stored")
          .maybe(
              "value",
              Formats.TEXT,
              intent -> intent.publicly().map(it -> it.value().toString()),
              "of a public one, in decimal digits")
          .maybe(
              "gas",
              Shape.NUMBER,
              intent -> intent.publicly().map(PublicTransaction::gas),
              "of a public one: so much it may use")
          .maybe(
              "maxAttempts",
              Shape.NUMBER,
              intent -> intent.privately().flatMap(PrivateTransaction::maxAttempts))
          .maybe(
              "deadline",
              Formats.TIME,
              intent -> intent.privately().flatMap(PrivateTransaction::deadline));

  static Optional<String> function(Intent intent) {
    return switch (intent.transaction()) {
      case PrivateTransaction it -> Optional.of(it.function());
      case PublicTransaction it -> it.source().function();
      case NewGroup ignored -> Optional.empty();
    };
  }

  static Optional<ContractAddress> to(Intent intent) {
    return switch (intent.transaction()) {
      case PrivateTransaction it -> Optional.of(it.contract());
      case PublicTransaction it -> it.to();
      case NewGroup ignored -> Optional.empty();
    };
  }

  static Optional<String> domain(Intent intent) {
    return switch (intent.transaction()) {
      case PrivateTransaction it -> Optional.of(it.domain());
      case PublicTransaction ignored -> Optional.empty();
      case NewGroup it -> Optional.of(it.request().domain());
    };
  }

  private static JsonNode data(Intent intent) {
    return switch (intent.transaction()) {
      case PrivateTransaction it -> JsonText.parse(it.inputs().toByteArray());
      case PublicTransaction it ->
          it.source()
              .inputs()
              .map(inputs -> JsonText.parse(inputs.toByteArray()))
              .orElseGet(() -> Formats.HEX.write(it.data()));
      case NewGroup it -> JsonText.parse(it.inputs().toByteArray());
    };
  }

  static final ObjectShape<Happened> EVENT =
      ObjectShape.<Happened>named("Event")
          .with("time", Formats.TIME, Happened::time)
          .with("what", Formats.TEXT, Happened::what);

  static final ObjectShape<OnLedger> PLACE =
      ObjectShape.<OnLedger>named("PublicTransaction")
          .with("transactionHash", Formats.HASH, place -> place.hash().value())
          .with("blockNumber", Shape.NUMBER, place -> place.block().value())
          .with("transactionIndex", Shape.NUMBER, OnLedger::index);

  public static final ObjectShape<NumberedReceipt> RECEIPT =
      ObjectShape.<NumberedReceipt>named("Receipt")
          .with("id", Formats.TRANSACTION_ID, numbered -> numbered.receipt().transaction())
          .with("indexed", Formats.TIME, numbered -> numbered.receipt().indexed())
          .with("sequence", Shape.NUMBER, NumberedReceipt::sequence)
          .maybe("domain", Formats.NAME, TransactionShapes::domain, "of a private transaction")
          .with("success", Formats.BOOLEAN, numbered -> numbered.receipt().success())
          .allIf(PLACE, numbered -> numbered.receipt().onLedger())
          .maybe("source", Formats.ADDRESS, TransactionShapes::source)
          .maybe("failureMessage", Formats.TEXT, numbered -> numbered.receipt().failureMessage())
          .maybe(
              "revertData",
              Formats.HEX,
              numbered ->
                  numbered
                      .receipt()
                      .called()
                      .map(Receipt.Called::revertData)
                      .filter(data -> !data.isEmpty()),
              "what a contract said as it reverted a public transaction")
          .maybe(
              "contractAddress",
              Formats.ADDRESS,
              TransactionShapes::contract,
              "the group's contract, or the one that it has made");

  static Optional<String> domain(NumberedReceipt numbered) {
    return Optional.of(numbered.receipt().domain()).filter(domain -> !domain.isEmpty());
  }

  /** The group's contract, if it is on the ledger. */
  static Optional<ContractAddress> source(NumberedReceipt numbered) {
    var receipt = numbered.receipt();
    return receipt
        .onLedger()
        .filter(place -> receipt.called().isEmpty())
        .map(p -> receipt.contract());
  }

  static Optional<ContractAddress> contract(NumberedReceipt numbered) {
    var receipt = numbered.receipt();
    return receipt.called().isPresent()
        ? receipt.called().flatMap(Receipt.Called::created)
        : Optional.of(receipt.contract());
  }

  /** A node that had to do with it, and how. */
  private record Activity(String type, NodeName node) {
    static List<Activity> of(Course course) {
      return Stream.concat(
              course.delegate().map(node -> new Activity("delegate", node)).stream(),
              course.submitter().map(node -> new Activity("dispatch", node)).stream())
          .toList();
    }
  }

  private static final ObjectShape<Activity> ACTIVITY =
      ObjectShape.<Activity>named("SequencerActivity")
          .with(
              "activityType",
              Shape.among(List.of("delegate", "dispatch")),
              Activity::type,
              "`delegate`: it ordered the transaction; `dispatch`: it put it on the base ledger")
          .with("sequencingNode", Formats.NODE, Activity::node);

  /**
   * All that a node knows of a transaction.
   *
   * @param status of a private one; empty if it is not in flight
   * @param underway of a public one; empty before its submitter has taken it, and after its end
   */
  record Full(
      Intent intent,
      Optional<NumberedReceipt> receipt,
      Optional<TransactionStatus> status,
      Optional<Underway> underway) {
    Optional<Course> course() {
      return receipt
          .flatMap(numbered -> numbered.receipt().course())
          .or(() -> status.map(Full::course));
    }

    private static Course course(TransactionStatus now) {
      return new Course(
          now.attempts(),
          now.delegate(),
          now.submitter(),
          now.history().stream().map(event -> new Happened(event.time(), event.what())).toList());
    }

    String state() {
      return receipt
          .map(numbered -> numbered.receipt().success() ? "Confirmed" : "Reverted")
          .or(() -> status.map(TransactionStatus::state))
          .orElse("Pending");
    }

    Optional<String> waitsFor() {
      return receipt.isPresent()
          ? Optional.empty()
          : status.map(TransactionStatus::waitsFor).or(() -> underway.map(Full::waitsFor));
    }

    private static String waitsFor(Underway now) {
      return now.waitsFor()
          .map("The base ledger. "::concat)
          .orElse(
              now.submissions().isEmpty()
                  ? "The base ledger, to which it is about to be sent."
                  : "A final block that has it.");
    }
  }

  /** Where a transaction stands; one that no sender has taken up yet is pending, too. */
  static final Shape<String> STANDING =
      Shape.among(Stream.of(TransactionState.values()).map(TransactionState::title).toList());

  static final ObjectShape<Full> FULL =
      ObjectShape.<Full>named("TransactionFull")
          .all(TRANSACTION, Full::intent)
          .with(
              "dependsOn",
              Formats.TRANSACTION_ID.list(),
              full ->
                  full.intent().privately().map(PrivateTransaction::dependsOn).orElse(List.of()))
          .with("receipt", RECEIPT.orNull(), Full::receipt, "null until it is final")
          .with(
              "public",
              PLACE.list(),
              full ->
                  full.receipt().flatMap(numbered -> numbered.receipt().onLedger()).stream()
                      .toList())
          .with(
              "history", EVENT.list(), full -> full.course().map(Course::history).orElse(List.of()))
          .with(
              "sequencerActivity",
              ACTIVITY.list(),
              full -> full.course().map(Activity::of).orElse(List.of()))
          .with("state", STANDING, Full::state)
          .maybe("delegate", Formats.NODE, full -> full.course().flatMap(Course::delegate))
          .maybe("submitter", Formats.NODE, full -> full.course().flatMap(Course::submitter))
          .maybe("waitsFor", Formats.TEXT, Full::waitsFor, "a sentence, until it is final")
          .maybe("attempts", Shape.NUMBER, full -> full.course().map(Course::attempts));

  /**
   * A state.
   *
   * @param domain of the group that it is of
   * @param content empty where this node does not hold it
   */
  private record State(String domain, StateId id, Optional<PrivateState> content) {
    private Optional<Held> held() {
      return content.map(state -> new Held(domain, state));
    }
  }

  /** A state whose content this node holds, and the domain of its group. */
  private record Held(String domain, PrivateState state) {
    private Hash schema() {
      return Domain.StateSchema.id(domain, state.schema());
    }
  }

  private static final ObjectShape<State> STATE =
      ObjectShape.<State>named("State")
          .with("id", Formats.HASH, state -> state.id().value())
          .allIf(
              ObjectShape.<Held>named("StateContent")
                  .with("domain", Formats.TEXT, Held::domain)
                  .with("contractAddress", Formats.ADDRESS, held -> held.state().contract())
                  .with("schema", Formats.HASH, Held::schema, "its id; pstate_listSchemas has it")
                  .with(
                      "data",
                      Shape.ANY,
                      held -> content(held.state().data()),
                      "as the domain keeps it; hexadecimal digits if that is no JSON"),
              State::held);

  /**
   * The states of a transaction by what it does to them, and the content of those that are held.
   */
  record States(
      String domain,
      List<StateId> spent,
      List<StateId> read,
      List<StateId> confirmed,
      List<PrivateState> held) {
    List<State> of(List<StateId> ids) {
      var content = new HashMap<StateId, PrivateState>();
      held.forEach(state -> content.put(state.id(), state));
      return ids.stream()
          .map(id -> new State(domain, id, Optional.ofNullable(content.get(id))))
          .toList();
    }

    List<PrivateState> contents(List<StateId> ids) {
      return of(ids).stream().flatMap(state -> state.content().stream()).toList();
    }

    boolean isComplete() {
      return Stream.of(spent, read, confirmed)
          .flatMap(ids -> of(ids).stream())
          .allMatch(state -> state.content().isPresent());
    }
  }

  static final ObjectShape<States> STATES =
      ObjectShape.<States>named("States")
          .with("spent", STATE.list(), states -> states.of(states.spent()))
          .with("read", STATE.list(), states -> states.of(states.read()))
          .with("confirmed", STATE.list(), states -> states.of(states.confirmed()), "made by it")
          .with("info", STATE.list(), states -> List.of(), "always empty here");

  /**
   * An event of a contract.
   *
   * @param meant what it says by the ABI that was sent, if that has it
   */
  record ToldEvent(OnLedger place, PublicContracts.Event event, Optional<ContractAbi.Told> meant) {}

  private static final ObjectShape<ToldEvent> EVENTS =
      ObjectShape.<ToldEvent>named("ContractEvent")
          .all(PLACE, ToldEvent::place)
          .with("logIndex", Shape.NUMBER, told -> told.event().index())
          .with("address", Formats.ADDRESS, told -> told.event().contract(), "who told it")
          .with("topics", Formats.HEX.list(), told -> told.event().topics())
          .maybe(
              "soliditySignature",
              Formats.TEXT,
              told -> told.meant().map(ContractAbi.Told::definition),
              "as Solidity declares it, if the ABI that was sent has it")
          .with(
              "data",
              Shape.ANY,
              told ->
                  told.meant()
                      .map(ContractAbi.Told::values)
                      .orElseGet(() -> Formats.HEX.write(told.event().data())),
              "its values by name, if the ABI that was sent has it; else in hex");

  /**
   * A receipt with its states.
   *
   * @param held those whose content this node holds
   * @param events of a public transaction
   * @param noEvents why they are not there, of one that has some perhaps
   * @param domainReceipt what a private transaction has done, in the words of its domain
   */
  record ReceiptFull(
      NumberedReceipt receipt,
      List<PrivateState> held,
      Optional<List<ToldEvent>> events,
      Optional<String> noEvents,
      Optional<JsonNode> domainReceipt) {
    private States states() {
      return states(receipt, held);
    }

    private static States states(NumberedReceipt receipt, List<PrivateState> held) {
      var domain = receipt.receipt().domain();
      return receipt
          .receipt()
          .onLedger()
          .map(place -> new States(domain, place.spent(), place.read(), place.confirmed(), held))
          .orElse(new States(domain, List.of(), List.of(), List.of(), List.of()));
    }

    /** Those of others' transactions often are not: contents go to whom they are for. */
    static boolean isComplete(NumberedReceipt receipt, List<PrivateState> held) {
      return states(receipt, held).isComplete();
    }

    boolean isComplete() {
      return isComplete(receipt, held);
    }

    boolean isOf(String domain) {
      return receipt.receipt().domain().equals(domain);
    }

    /** What the contents of its states take, roughly. */
    int size() {
      return held.stream().mapToInt(state -> state.data().size()).sum();
    }

    /** Its states, if it has succeeded and the contents of all of them are here. */
    static Optional<Domain.Changes> changes(NumberedReceipt receipt, List<PrivateState> held) {
      return Optional.of(states(receipt, held))
          .filter(all -> receipt.receipt().success() && all.isComplete())
          .map(
              all ->
                  new Domain.Changes(
                      all.contents(all.spent()),
                      all.contents(all.read()),
                      all.contents(all.confirmed())));
    }
  }

  static final ObjectShape<ReceiptFull> RECEIPT_FULL =
      ObjectShape.<ReceiptFull>named("ReceiptFull")
          .all(RECEIPT, ReceiptFull::receipt)
          .with("states", STATES, ReceiptFull::states)
          .maybe(
              "incomplete",
              Formats.BOOLEAN,
              full -> Optional.of(true).filter(any -> !full.isComplete()),
              "true if this node does not hold the contents of all its states")
          .maybe(
              "domainReceipt",
              Shape.ANY,
              ReceiptFull::domainReceipt,
              "what a private transaction has done, as ptx_getDomainReceipt answers")
          .maybe(
              "events",
              EVENTS.list(),
              ReceiptFull::events,
              "of a public transaction, in their order; read from the base ledger")
          .maybe(
              "eventsUnavailable",
              Formats.TEXT,
              ReceiptFull::noEvents,
              "why `events` of an old public transaction are left out: the base ledger has them no more,"
                  + " or does not answer");

  /** The ids of states whose content is not here. */
  private record Unavailable(List<StateId> spent, List<StateId> read, List<StateId> confirmed) {
    private boolean isEmpty() {
      return spent.isEmpty() && read.isEmpty() && confirmed.isEmpty();
    }
  }

  private static final ObjectShape<Unavailable> UNAVAILABLE =
      ObjectShape.<Unavailable>named("UnavailableStates")
          .with("confirmed", Formats.HASH.of(StateId::value).list(), Unavailable::confirmed)
          .with("read", Formats.HASH.of(StateId::value).list(), Unavailable::read)
          .with("spent", Formats.HASH.of(StateId::value).list(), Unavailable::spent)
          .with("info", Formats.HASH.of(StateId::value).list(), states -> List.of());

  /**
   * The states of a transaction by themselves.
   *
   * @param receipt empty if the transaction has none yet, or is unknown
   */
  record StateReceipt(Optional<ReceiptFull> receipt) {
    private List<State> held(Function<States, List<StateId>> some) {
      return receipt
          .map(ReceiptFull::states)
          .map(states -> states.of(some.apply(states)))
          .orElse(List.of())
          .stream()
          .filter(state -> state.content().isPresent())
          .toList();
    }

    private List<StateId> missing(Function<States, List<StateId>> some) {
      return receipt
          .map(ReceiptFull::states)
          .map(states -> states.of(some.apply(states)))
          .orElse(List.of())
          .stream()
          .filter(state -> state.content().isEmpty())
          .map(State::id)
          .toList();
    }

    private Optional<Unavailable> unavailable() {
      var missing =
          new Unavailable(
              missing(States::spent), missing(States::read), missing(States::confirmed));
      return Optional.of(missing).filter(some -> !some.isEmpty());
    }
  }

  static final ObjectShape<StateReceipt> STATE_RECEIPT =
      ObjectShape.<StateReceipt>named("StateReceipt")
          .maybe(
              "none",
              Formats.BOOLEAN,
              states -> states.receipt().isPresent() ? Optional.empty() : Optional.of(true),
              "true if nothing is known of the transaction's states")
          .with("spent", STATE.list(), states -> states.held(States::spent))
          .with("read", STATE.list(), states -> states.held(States::read))
          .with("confirmed", STATE.list(), states -> states.held(States::confirmed), "made by it")
          .with("info", STATE.list(), states -> List.of(), "always empty here")
          .maybe(
              "unavailable",
              UNAVAILABLE,
              StateReceipt::unavailable,
              "the ids of those whose content this node does not hold, if there are any");

  /**
   * What waits for what.
   *
   * @param prerequisiteOf those that wait for it
   */
  record Dependencies(List<TransactionId> dependsOn, List<TransactionId> prerequisiteOf) {}

  static final ObjectShape<Dependencies> DEPENDENCIES =
      ObjectShape.<Dependencies>named("TransactionDependencies")
          .with("dependsOn", Formats.TRANSACTION_ID.list(), Dependencies::dependsOn)
          .with(
              "prereqOf",
              Formats.TRANSACTION_ID.list(),
              Dependencies::prerequisiteOf,
              "those without a receipt that name it in `dependsOn`; of more than"
                  + " rpc.limits.query-results the oldest");

  static final ObjectShape<Full> DEBUG_STATUS =
      ObjectShape.<Full>named("TransactionDebugStatus")
          .maybe(
              "latest_event",
              Formats.TEXT,
              full ->
                  full.course()
                      .map(Course::history)
                      .filter(history -> !history.isEmpty())
                      .map(history -> history.getLast().what()))
          .maybe(
              "latest_error",
              Formats.TEXT,
              full -> full.receipt().flatMap(numbered -> numbered.receipt().failureMessage()))
          .with("status", STANDING, Full::state);

  static final ObjectShape<Signature> ENDORSEMENT =
      ObjectShape.<Signature>named("Endorsement")
          .with("party", Formats.IDENTITY, Signature::party)
          .with("verifier", Formats.VERIFIER, Signature::verifier)
          .with("signature", Formats.HEX, Signature::value);

  static final ObjectShape<MerklePath> PATH =
      ObjectShape.<MerklePath>named("MerklePath")
          .with("index", Shape.NUMBER, MerklePath::index)
          .with("size", Shape.NUMBER, MerklePath::size)
          .with("siblings", Formats.HASH.list(), MerklePath::siblings);

  static final ObjectShape<PreparedTransaction> LEDGER_TRANSACTION =
      ObjectShape.<PreparedTransaction>named("PreparedLedgerTransaction")
          .with("commitment", Formats.HASH, prepared -> prepared.intent().commitment().value())
          .with("inputs", Formats.HASH.of(StateId::value).list(), PreparedTransaction::inputs)
          .with("reads", Formats.HASH.of(StateId::value).list(), PreparedTransaction::reads)
          .with("outputs", Formats.HASH.of(StateId::value).list(), PreparedTransaction::outputs)
          .with("path", PATH, it -> it.proof().path())
          .with("endorsements", ENDORSEMENT.list(), it -> it.proof().signatures());

  /**
   * What was prepared for another to submit.
   *
   * @param domain the group's; empty if the group is not known
   * @param call what the group's contract is called with to fulfil it, if it is one of a chain
   */
  record PreparedView(String domain, Prepared prepared, Optional<Bytes> call) {
    private PreparedTransaction transaction() {
      return prepared.prepared();
    }

    private States states() {
      return new States(
          domain,
          transaction().inputs(),
          transaction().reads(),
          prepared.outputs().stream().map(PrivateState::id).toList(),
          prepared.outputs());
    }
  }

  private static final ObjectShape<PreparedView> PREPARED_CALL =
      ObjectShape.<PreparedView>named("PreparedCall")
          .all(LEDGER_TRANSACTION, PreparedView::transaction)
          .maybe(
              "type",
              Shape.among(List.of(TransactionKind.PUBLIC.word())),
              view -> view.call().map(any -> TransactionKind.PUBLIC.word()),
              "`public`, on a chain: with `to` and `data`, and `from` beside them, it is what"
                  + " ptx_sendTransaction takes")
          .maybe(
              "to",
              Formats.ADDRESS,
              view -> view.call().map(any -> view.transaction().contract()),
              "on a chain: the group's contract")
          .maybe(
              "data", Formats.HEX, PreparedView::call, "on a chain: of the call that fulfils it");

  static final ObjectShape<PreparedView> PREPARED =
      ObjectShape.<PreparedView>named("PreparedTransaction")
          .with("id", Formats.TRANSACTION_ID, view -> view.transaction().transaction())
          .with("domain", Formats.TEXT, PreparedView::domain)
          .with("to", Formats.ADDRESS, view -> view.transaction().contract())
          .with("transaction", PREPARED_CALL, view -> view)
          .with("metadata", Shape.ANY, view -> JsonText.object(), "always empty here")
          .with("states", STATES, PreparedView::states);

  /** Whether its caller puts it on the base ledger. */
  static boolean isExternal(Intent intent) {
    return intent.privately().map(it -> it.submitMode() == SubmitMode.EXTERNAL).orElse(false);
  }

  static SubmitMode submitMode(Intent intent) {
    return intent.privately().map(PrivateTransaction::submitMode).orElse(SubmitMode.AUTO);
  }

  private static String word(SubmitMode mode) {
    return switch (mode) {
      case AUTO -> "auto";
      case EXTERNAL -> "external";
    };
  }

  /** As JSON if the domain keeps JSON, otherwise in hexadecimal digits. */
  static JsonNode content(Bytes data) {
    try {
      return JsonText.parse(data.toByteArray());
    } catch (Unreadable e) {
      return Formats.HEX.write(data);
    }
  }
}
