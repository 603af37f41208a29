package dev.sequitur.protocol.founding;

import dev.sequitur.protocol.founding.FoundingEffect.Outcome;
import dev.sequitur.protocol.founding.FoundingState.About;
import dev.sequitur.protocol.founding.FoundingState.Answers;
import dev.sequitur.protocol.founding.FoundingState.Making;
import dev.sequitur.protocol.founding.FoundingState.Offer;
import dev.sequitur.protocol.founding.FoundingState.Reading;
import dev.sequitur.protocol.founding.FoundingTable.FoundingEvent;
import dev.sequitur.protocol.founding.FoundingTable.FoundingPhase;
import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.GroupRequest;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.GroupId;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.ContractGenesis;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.ledger.LedgerReceipt;
import dev.sequitur.protocol.ledger.SubmitOutcome;
import dev.sequitur.protocol.machine.Decision;
import dev.sequitur.protocol.machine.Machine;
import dev.sequitur.protocol.message.GroupGenesis;
import dev.sequitur.protocol.message.GroupGenesisAcknowledgement;
import dev.sequitur.protocol.message.GroupGenesisRejected;
import dev.sequitur.protocol.message.GroupWithdrawal;
import dev.sequitur.protocol.message.GroupWithdrawalAcknowledgement;
import dev.sequitur.protocol.message.Message;
import dev.sequitur.protocol.message.ResolveVerifierError;
import dev.sequitur.protocol.message.ResolveVerifierRequest;
import dev.sequitur.protocol.message.ResolveVerifierResponse;
import dev.sequitur.protocol.port.NodeStore.Deployment;
import dev.sequitur.protocol.port.NodeStore.StoredGroup;
import dev.sequitur.protocol.port.NodeStore.Withdrawal;
import dev.sequitur.protocol.transaction.NewGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes the groups that callers ask for and those of accepted transactions (SEL-7, SEL-8): finds
 * out the keys of the members, stores the group, gives its genesis to the nodes of all members, has
 * the base ledger make its contract, and tries again until that stands. What is never made is
 * stored as such and tried no more; {@link Withdrawals} tells the members. Each group's contract
 * has a signing key of its own with nonce 0, so that deploying again is the same transaction.
 *
 * <p>Each JVM of a node has one. It stores no events: what it must not forget is in the node store,
 * and a life begins with what is found there. A group has the same id whoever makes it, so two JVMs
 * that are at one make it once.
 *
 * <p>Nodes are asked about many groups side by side. What waits for the base ledger or the node
 * store after its first try takes turns; who has the turn gives it back before it asks other nodes,
 * so that one that is away holds up nobody else.
 */
public final class Founding {
  /** Between two tries. */
  public static final Duration PAUSE = Duration.ofSeconds(10);

  /** So often one is left to another JVM that does not get on with it. */
  static final int PATIENCE = 6;

  private static final int MOST_QUESTIONS = 10_000;

  private static final String SILENT = "SQ020011";
  private static final String NOT_DEPLOYED = "SQ020012";
  private static final String REJECTED = "SQ020016";
  private static final String TOO_MANY = "SQ020022";
  private static final String UNRESOLVED = "SQ020015";

  private static final String ASKING_KEYS =
      "The nodes of its members are asked for their keys, and whether they take part in it.";
  private static final String ASKING_MEMBERS =
      "The nodes of its members are asked whether they take part in it.";
  private static final String ON_ITS_WAY = "Its contract is in no final block yet.";

  private static final String TRIED_AGAIN =
      " This node tries again every "
          + PAUSE.toSeconds()
          + " seconds; to create the group again makes another one.";

  private final FoundingSetup setup;

  public Founding(FoundingSetup setup) {
    this.setup = setup;
  }

  public Machine<FoundingInput, FoundingState, Void, FoundingEffect> machine() {
    return Machine.storingNothing(
        FoundingState.initial(setup.incarnation()), this::decide, new FoundingInput.Tick());
  }

  /** Why a transaction that makes a group has no receipt yet, if this JVM sees to it. */
  public static Optional<String> waitsFor(FoundingState state, TransactionId transaction) {
    return Optional.ofNullable(state.accepted().get(transaction))
        .map(state::get)
        .map(Founding::why);
  }

  private static String why(Making making) {
    return making
        .waitsFor()
        .orElse(
            switch (making.phase()) {
              case FINDING, ASKING_KEYS, STORING, UNBEGUN -> ASKING_KEYS;
              case ASKING_MEMBERS, UNGIVEN -> ASKING_MEMBERS;
              case LOOKING, SUBMITTING, CHECKING, ENDING, ELSEWHERE, UNMADE, UNENDED, GONE ->
                  ON_ITS_WAY;
            });
  }

  private Decision<FoundingState, Void, FoundingEffect> decide(
      FoundingState before, FoundingInput input, Instant now) {
    var step = new FoundingStep(before, now);
    switch (input) {
      case FoundingInput.Make make -> onMake(step, make);
      case FoundingInput.Resolve(var call, var identity) -> onResolve(step, call, identity);
      case FoundingInput.Reserve(var call, var more) ->
          step.answer(call, hasRoom(step, more) ? new Outcome.Room() : tooMany());
      case FoundingInput.Accepted() -> read(step);
      case FoundingInput.PendingRead(var page, var next) -> onPending(step, page, next);
      case FoundingInput.PendingNotRead(var why) -> onPendingNotRead(step, why);
      case FoundingInput.TakenUp(var group, var failed) -> onTakenUp(step, group, failed);
      case FoundingInput.Found(var group, var stored) ->
          in(step, group, FoundingPhase.FINDING, () -> onFound(step, group, stored));
      case FoundingInput.NotFound(var group, var why) ->
          in(step, group, FoundingPhase.FINDING, () -> notStored(step, group, why));
      case FoundingInput.Stored(var group) ->
          in(step, group, FoundingPhase.STORING, () -> move(step, group, FoundingEvent.GO_ON));
      case FoundingInput.NotStored(var group, var why) ->
          in(step, group, FoundingPhase.STORING, () -> notStored(step, group, why));
      case FoundingInput.Answered(var from, var answer) -> onAnswered(step, from, answer);
      case FoundingInput.Looked looked -> onLooked(step, looked);
      case FoundingInput.Submitted submitted ->
          in(step, submitted.group(), FoundingPhase.SUBMITTING, () -> onSubmitted(step, submitted));
      case FoundingInput.Unreachable(var group, var why) -> onUnreachable(step, group, why);
      case FoundingInput.EndStored(var group) ->
          in(step, group, FoundingPhase.ENDING, () -> onEndStored(step, group));
      case FoundingInput.EndNotStored(var group, var why) ->
          in(step, group, FoundingPhase.ENDING, () -> onEndNotStored(step, group, why));
      case FoundingInput.Standing(var groups) ->
          groups.stream()
              .filter(group -> step.state().find(group).isPresent())
              .forEach(group -> onStanding(step, group));
      case FoundingInput.Tick() -> onTick(step);
    }
    takeTurns(step);
    return step.finish();
  }

  /** An answer that comes when nobody waits for it any more says nothing. */
  private static void in(FoundingStep step, GroupId group, FoundingPhase phase, Runnable what) {
    if (step.state().find(group).map(Making::phase).filter(phase::equals).isPresent()) {
      what.run();
    }
  }

  // What callers want

  private static boolean hasRoom(FoundingStep step, long more) {
    return !step.state().isFull(more);
  }

  private static Outcome.Refused tooMany() {
    return new Outcome.Refused(
        TOO_MANY,
        "This node makes at most %d groups at a time: send it again when some of them stand."
            .formatted(FoundingState.MOST));
  }

  private void onMake(FoundingStep step, FoundingInput.Make make) {
    var problem = setup.rules().problem(make.request());
    if (!hasRoom(step, 1)) {
      step.answer(make.call(), tooMany());
    } else if (problem.isPresent()) {
      step.answer(make.call(), new Outcome.Refused(GroupRules.UNUSABLE, problem.get()));
    } else {
      var group = GroupRules.idOf(make.request(), make.genesis());
      step.become(
          step.state()
              .with(
                  Making.of(group, FoundingPhase.ASKING_KEYS, make.genesis())
                      .withRequest(Optional.of(make.request()))
                      .withCaller(Optional.of(make.call()))));
      askKeys(step, group);
    }
  }

  private void onResolve(FoundingStep step, long call, Identity identity) {
    if (identity.node().equals(setup.rules().self())) {
      step.answer(call, new Outcome.Resolved(setup.rules().ownKey(identity)));
    } else if (ask(
            step,
            identity.node(),
            id -> new ResolveVerifierRequest(id, identity),
            new About.Caller(call, identity))
        .isEmpty()) {
      step.answer(call, new Outcome.Refused(UNRESOLVED, tooManyQuestions()));
    }
  }

  // What was accepted

  private static void read(FoundingStep step) {
    var reading = step.state().reading();
    boolean underway = reading.underway();
    step.become(step.state().withReading(new Reading(true, underway, Optional.empty())));
    if (!underway) {
      step.effect(new FoundingEffect.ReadPending(0));
    }
  }

  private void onPending(FoundingStep step, List<NewGroup> page, Optional<Long> next) {
    page.forEach(asked -> begin(step, asked));
    boolean again = step.state().reading().again();
    if (next.isPresent()) {
      step.effect(new FoundingEffect.ReadPending(next.get()));
    } else {
      step.become(step.state().withReading(Reading.NONE));
      if (again) {
        read(step);
      }
    }
  }

  private static void onPendingNotRead(FoundingStep step, Throwable why) {
    step.effect(
        new FoundingEffect.Failed(
            "Cannot read which groups are to be made; it is tried again every %d seconds"
                .formatted(PAUSE.toSeconds()),
            why));
    var again = Optional.of(step.now().plus(PAUSE));
    step.become(step.state().withReading(new Reading(false, false, again)));
  }

  private static void begin(FoundingStep step, NewGroup asked) {
    var group = GroupRules.idOf(asked.request(), asked.id());
    var known = step.state().find(group);
    var making = known.orElse(Making.of(group, FoundingPhase.FINDING, asked.id()));
    step.become(
        step.state()
            .with(making.withAccepted(Optional.of(asked)).withRequest(Optional.of(asked.request())))
            .withAccepted(step.state().accepted().plus(asked.id(), group)));
    if (known.isEmpty()) {
      step.effect(new FoundingEffect.Find(group));
    }
  }

  private void onFound(FoundingStep step, GroupId group, Optional<StoredGroup> stored) {
    var making = step.making(group);
    if (stored.isEmpty()) {
      // What a write that has failed was to store is not there to be ended.
      step.change(group, it -> it.withStored(Optional.empty()));
      var problem = setup.rules().problem(making.request().orElseThrow());
      if (problem.isPresent()) {
        never(step, group, GroupRules.UNUSABLE, problem.get());
      } else {
        move(step, group, FoundingEvent.GO_ON);
      }
    } else if (isOver(making, stored.get())) {
      move(step, group, FoundingEvent.LET_GO);
    } else if (making.stored().isPresent() || making.looks() >= PATIENCE) {
      takeUp(step, stored.get());
    } else {
      step.change(group, it -> it.withLooks(it.looks() + 1).withWaitsFor(Optional.empty()));
      move(step, group, FoundingEvent.FOUND);
    }
  }

  /** What has ended and was withdrawn from nobody is ended again by who takes it up. */
  private static boolean isOver(Making making, StoredGroup stored) {
    return stored.group().isPresent()
        || (stored.notMade().isPresent()
            && (stored.withdrawal().isPresent() || making.stored().isEmpty()));
  }

  private void takeUp(FoundingStep step, StoredGroup stored) {
    var group = stored.id();
    step.change(group, it -> it.withStored(Optional.of(stored)).withTakenUp(true));
    move(step, group, FoundingEvent.TAKE_UP);
    var reason =
        stored
            .notMade()
            .or(() -> step.making(group).ended())
            .or(
                () ->
                    setup
                        .rules()
                        .hindrance(stored.deployment().orElseThrow().genesis().committee()));
    if (reason.isPresent()) {
      never(step, group, REJECTED, reason.get());
    }
  }

  /** What was on its way to the node store, or in it: it may be stored all the same. */
  private void notStored(FoundingStep step, GroupId group, Throwable why) {
    if (step.making(group).caller().isPresent()) {
      step.answerCaller(group, new Outcome.Failed(why));
      move(step, group, FoundingEvent.LET_GO);
    } else {
      step.standsStill(
          group, new Outcome.Refused("", "The node store does not answer: " + said(why)));
      move(step, group, FoundingEvent.WAIT);
    }
  }

  private static String said(Throwable why) {
    return Optional.ofNullable(why.getMessage()).orElse(why.toString());
  }

  // What a start finds

  private void onTakenUp(FoundingStep step, StoredGroup stored, Optional<String> failed) {
    var group = stored.id();
    if (stored.group().isPresent()
        || stored.genesisTransaction().isEmpty()
        || stored.deployment().isEmpty()) {
      return;
    }
    if (stored.notMade().isPresent() && stored.withdrawal().isPresent()) {
      step.effect(new FoundingEffect.Withdraw(stored));
      return;
    }
    var reason = stored.notMade().or(() -> failed);
    var known = step.state().find(group);
    var making =
        known.orElse(Making.of(group, FoundingPhase.FINDING, stored.genesisTransaction().get()));
    step.become(
        step.state()
            .with(
                making
                    .withStored(making.stored().or(() -> Optional.of(stored)))
                    .withEnded(making.ended().or(() -> reason))));
    if (known.isEmpty()) {
      // It may have ended since this was read.
      step.effect(new FoundingEffect.Find(group));
    } else if (making.phase() == FoundingPhase.ELSEWHERE) {
      step.become(step.state().offAgenda(group));
      step.become(step.state().onAgenda(group, step.now()));
    }
  }

  // What nodes say

  private Optional<RequestId> ask(
      FoundingStep step, NodeName node, Function<RequestId, Message> question, About about) {
    if (step.state().about().size() >= MOST_QUESTIONS) {
      return Optional.empty();
    }
    var asked = step.state().questions().ask(node, question, step.now());
    step.become(
        step.state()
            .withQuestions(asked.after())
            .withAbout(step.state().about().plus(asked.id(), about)));
    step.send(asked.exchange());
    return Optional.of(asked.id());
  }

  private static String tooManyQuestions() {
    return "Too many nodes are being asked: try again later.";
  }

  private void askTogether(
      FoundingStep step,
      GroupId group,
      NodeName node,
      Function<RequestId, Message> question,
      About about) {
    var id = ask(step, node, question, about);
    step.change(
        group,
        making ->
            making.withAnswers(
                id.map(it -> making.answers().asking(it, node))
                    .orElseGet(() -> making.answers().failed(tooManyQuestions()))));
  }

  private void askKeys(FoundingStep step, GroupId group) {
    step.change(group, making -> making.withAnswers(Answers.NONE));
    for (var member : step.making(group).request().orElseThrow().members()) {
      if (member.node().equals(setup.rules().self())) {
        var own = setup.rules().ownKey(member);
        step.change(group, it -> it.withAnswers(it.answers().with(member, own)));
      } else {
        askTogether(
            step,
            group,
            member.node(),
            id -> new ResolveVerifierRequest(id, member),
            new About.Key(group, member));
      }
    }
    goOnWithKeys(step, group);
  }

  private void askMembers(FoundingStep step, GroupId group) {
    step.change(group, making -> making.withAnswers(Answers.NONE));
    var deployment = deployment(step.making(group));
    for (var node : others(deployment)) {
      askTogether(
          step,
          group,
          node,
          id -> new GroupGenesis(id, deployment.domain(), deployment.genesis()),
          new About.Part(group));
    }
    goOnWithMembers(step, group);
  }

  private static Deployment deployment(Making making) {
    return making.stored().flatMap(StoredGroup::deployment).orElseThrow();
  }

  private List<NodeName> others(Deployment deployment) {
    return deployment.genesis().committee().nodes().stream()
        .filter(node -> !node.equals(setup.rules().self()))
        .toList();
  }

  private void onAnswered(FoundingStep step, NodeName from, Message answer) {
    var id = questionOf(answer);
    if (id.isEmpty() || !step.state().questions().awaits(from, id.get())) {
      return;
    }
    switch (ended(step, id.get())) {
      case About.Caller(var call, var identity) -> step.answer(call, resolved(identity, answer));
      case About.Key(var group, var member) -> {
        step.change(
            group, it -> it.withAnswers(withKey(it.answers().answered(id.get()), member, answer)));
        goOnWithKeys(step, group);
      }
      case About.Part(var group) -> {
        step.change(
            group, it -> it.withAnswers(withPart(it.answers().answered(id.get()), from, answer)));
        goOnWithMembers(step, group);
      }
    }
  }

  /** Which question a message answers, if it answers one. */
  public static Optional<RequestId> questionOf(Message answer) {
    return switch (answer) {
      case ResolveVerifierResponse response -> Optional.of(response.requestId());
      case ResolveVerifierError error -> Optional.of(error.requestId());
      case GroupGenesisAcknowledgement stored -> Optional.of(stored.requestId());
      case GroupGenesisRejected rejected -> Optional.of(rejected.requestId());
      case GroupWithdrawalAcknowledgement ended -> Optional.of(ended.requestId());
      case ResolveVerifierRequest ignored -> Optional.empty();
      case GroupGenesis ignored -> Optional.empty();
      case Message.OfChange ignored -> Optional.empty();
      case GroupWithdrawal ignored -> Optional.empty();
      case Message.OfContract ignored -> Optional.empty();
    };
  }

  private static About ended(FoundingStep step, RequestId id) {
    var about = step.state().about().get(id);
    step.become(
        step.state()
            .withQuestions(step.state().questions().end(id))
            .withAbout(step.state().about().minus(id)));
    return about;
  }

  private Outcome resolved(Identity identity, Message answer) {
    var key = key(identity, answer);
    return key.verifier().isPresent()
        ? new Outcome.Resolved(key.verifier().get())
        : new Outcome.Refused(UNRESOLVED, key.problem());
  }

  /**
   * @param problem if there is none
   */
  private record Key(Optional<Verifier> verifier, String problem) {}

  /** In words of ours: what another node writes is not for our callers. */
  private Key key(Identity identity, Message answer) {
    if (!(answer instanceof ResolveVerifierResponse response)) {
      return new Key(
          Optional.empty(),
          "Node %s says that it does not hold %s: check the identity."
              .formatted(identity.node(), identity));
    }
    // A group with another one could never be deployed, nor endorse.
    return setup.isKey().test(response.verifier())
        ? new Key(Optional.of(response.verifier()), "")
        : new Key(
            Optional.empty(),
            "Node %s tells a verifier of %s that is no public key: ask its operator."
                .formatted(identity.node(), identity));
  }

  private Answers withKey(Answers answers, Identity member, Message answer) {
    var key = key(member, answer);
    return key.verifier()
        .map(verifier -> answers.with(member, verifier))
        .orElseGet(() -> answers.failed(key.problem()));
  }

  private static Answers withPart(Answers answers, NodeName from, Message answer) {
    if (!(answer instanceof GroupGenesisRejected rejected)) {
      return answers;
    }
    var sentence =
        "Node %s %s: it takes no part in the group".formatted(from, rejected.flaw().sentence());
    return rejected.flaw().passes()
        ? answers.failed(sentence + " yet.")
        : answers.refused(sentence + ".");
  }

  private void onSilent(FoundingStep step, RequestId id, NodeName node) {
    var sentence = "Node " + node + " does not answer: check that it runs and is a peer.";
    switch (ended(step, id)) {
      case About.Caller(var call, var identity) ->
          step.answer(call, new Outcome.Refused(UNRESOLVED, sentence));
      case About.Key(var group, var member) -> {
        step.change(group, it -> it.withAnswers(it.answers().answered(id).failed(sentence)));
        goOnWithKeys(step, group);
      }
      case About.Part(var group) -> {
        step.change(group, it -> it.withAnswers(it.answers().answered(id).failed(sentence)));
        goOnWithMembers(step, group);
      }
    }
  }

  private void goOnWithKeys(FoundingStep step, GroupId group) {
    var making = step.making(group);
    var answers = making.answers();
    if (!answers.open().isEmpty()) {
      return;
    }
    if (!answers.failures().isEmpty()) {
      noGenesis(step, group, new Outcome.Refused(SILENT, String.join(" ", answers.failures())));
      return;
    }
    var request = making.request().orElseThrow();
    var members = new ArrayList<Member>();
    request.members().forEach(it -> members.add(new Member(it, answers.keys().get(it))));
    var committee = new Committee(members);
    var twice = committee.withOneKey();
    if (twice.isPresent()) {
      unusable(
          step,
          group,
          "Members %s and %s have the same key: each member of a group signs with one of its own."
              .formatted(twice.get().getFirst(), twice.get().getLast()));
      return;
    }
    Quorum quorum;
    try {
      quorum = setup.quorum().apply(request.configuration(), committee);
    } catch (IllegalArgumentException e) {
      unusable(step, group, e.getMessage());
      return;
    } catch (RuntimeException e) {
      // Else all groups would begin anew, and end here again.
      unusable(
          step,
          group,
          "The domain '%s' cannot tell how many members must endorse: %s"
              .formatted(request.domain(), said(e)));
      return;
    }
    store(step, group, request, quorum);
  }

  private void store(FoundingStep step, GroupId group, GroupRequest request, Quorum quorum) {
    var genesis =
        new ContractGenesis(
            group,
            request.name(),
            quorum.committee(),
            quorum.threshold(),
            quorum.changeThreshold(),
            request.configuration());
    var stored =
        StoredGroup.of(group, step.now())
            .withGenesisTransaction(Optional.of(step.making(group).genesis()))
            .withRequest(request.request())
            .withDeployment(Optional.of(new Deployment(request.domain(), genesis)));
    step.change(group, making -> making.withStored(Optional.of(stored)));
    move(step, group, FoundingEvent.GO_ON);
  }

  /** A caller asks again itself; what was accepted is tried again. */
  private void noGenesis(FoundingStep step, GroupId group, Outcome.Refused why) {
    boolean isAsked = step.making(group).caller().isPresent();
    step.standsStill(group, why);
    move(step, group, isAsked ? FoundingEvent.LET_GO : FoundingEvent.WAIT);
  }

  private void unusable(FoundingStep step, GroupId group, String sentence) {
    if (step.making(group).caller().isPresent()) {
      step.answerCaller(group, new Outcome.Refused(GroupRules.UNUSABLE, sentence));
      move(step, group, FoundingEvent.LET_GO);
    } else {
      never(step, group, GroupRules.UNUSABLE, sentence);
    }
  }

  private void goOnWithMembers(FoundingStep step, GroupId group) {
    var answers = step.making(group).answers();
    if (!answers.open().isEmpty()) {
      return;
    }
    if (answers.refusal().isPresent()) {
      never(step, group, REJECTED, answers.refusal().get());
    } else if (!answers.failures().isEmpty()) {
      step.standsStill(
          group, new Outcome.Refused(SILENT, String.join(" ", answers.failures()) + TRIED_AGAIN));
      move(step, group, FoundingEvent.WAIT);
    } else {
      step.change(group, it -> it.withGiven(true).withWaitsFor(Optional.empty()));
      move(step, group, FoundingEvent.GO_ON);
    }
  }

  // What the base ledger says

  private boolean isOverdue(FoundingStep step, Offer offer) {
    var after = setup.gas().overdueAfter();
    return offer.since().filter(since -> !since.plus(after).isAfter(step.now())).isPresent();
  }

  private void onLooked(FoundingStep step, FoundingInput.Looked looked) {
    var group = looked.group();
    in(
        step,
        group,
        FoundingPhase.CHECKING,
        () -> {
          if (looked.receipt().isPresent()) {
            onCarriedOut(step, group, looked.receipt().get());
          } else {
            waits(step, group);
          }
        });
    in(
        step,
        group,
        FoundingPhase.LOOKING,
        () -> {
          if (looked.receipt().isPresent()) {
            onCarriedOut(step, group, looked.receipt().get());
          } else {
            submit(step, looked);
          }
        });
  }

  /**
   * A chain may have carried it out and made no contract: it was refused there, or has used up its
   * gas.
   */
  private void onCarriedOut(FoundingStep step, GroupId group, LedgerReceipt receipt) {
    if (receipt.results().stream().anyMatch(LedgerReceipt.Deployed.class::isInstance)) {
      waits(step, group);
    } else {
      never(
          step,
          group,
          GroupRules.UNUSABLE,
          "The base ledger has made no contract of the group's transaction "
              + receipt.hash()
              + ".");
    }
  }

  /** What is in a pool or in a block is looked at until the contract stands. */
  private void waits(FoundingStep step, GroupId group) {
    step.goesWell(group);
    move(step, group, FoundingEvent.WAIT);
  }

  private void submit(FoundingStep step, FoundingInput.Looked looked) {
    var group = looked.group();
    var offer = step.making(group).offer();
    var fees = offer.fees().orElseGet(() -> setup.gas().first(looked.baseFee()));
    if (looked.nonce().isPresent() && looked.nonce().getAsLong() > 0) {
      // A block has it that the ledger does not show yet, as it is not final.
      waits(step, group);
      return;
    }
    var next =
        looked.nonce().isPresent()
            ? offer.offering(setup.gas().increased(fees))
            : new Offer(Optional.of(fees), offer.since(), offer.pooled());
    step.change(group, it -> it.withOffer(next));
    move(step, group, FoundingEvent.GO_ON);
  }

  private void submit(FoundingStep step, GroupId group) {
    var making = step.making(group);
    useGas(step, group, false);
    step.effect(
        new FoundingEffect.Submit(
            deployment(making), making.offer().fees().orElseThrow(), gasLimit(making)));
  }

  private long gasLimit(Making making) {
    return setup.gas().limit(deployment(making).call());
  }

  private void useGas(FoundingStep step, GroupId group, boolean waits) {
    var making = step.making(group);
    step.effect(
        new FoundingEffect.UseGas(
            group, making.offer().fees().orElseThrow(), gasLimit(making), waits));
  }

  private void onSubmitted(FoundingStep step, FoundingInput.Submitted submitted) {
    var group = submitted.group();
    var making = step.making(group);
    switch (submitted.outcome()) {
      // In the pool it may still be lost.
      case SubmitOutcome.Pooled(var hash) -> {
        step.change(group, it -> it.withOffer(it.offer().pooled(hash, step.now())));
        waits(step, group);
      }
      case SubmitOutcome.NonceTooLow(var hash, var expected) -> {
        step.change(group, it -> it.withOffer(it.offer().pooled(hash, step.now())));
        move(step, group, FoundingEvent.USED);
      }
      case SubmitOutcome.Underpriced(var hash, var needed) ->
          offerMore(step, group, submitted.baseFee(), needed);
      case SubmitOutcome.InsufficientFunds ignored -> {
        useGas(step, group, true);
        if (submitted.moneyComes()) {
          waits(step, group);
        } else {
          notTaken(step, group, "waits for gas money on " + submitted.signer());
        }
      }
      case SubmitOutcome.PoolFull ignored -> notTaken(step, group, "waits for room in the pool");
      // What was taken before, for less, may come into a block all the same.
      case SubmitOutcome.Invalid invalid when !making.offer().pooled().isEmpty() ->
          notTaken(step, group, "refuses what it took before: " + invalid.reason());
      case SubmitOutcome.Invalid invalid ->
          never(
              step,
              group,
              GroupRules.UNUSABLE,
              "The base ledger never takes the group's contract: " + invalid.reason());
    }
  }

  /**
   * The same again for more, up to the ceiling. Of what was taken up the pool may have another
   * offer, of another JVM or an earlier life: only if no block has that in time.
   */
  private void offerMore(FoundingStep step, GroupId group, long baseFee, Fees needed) {
    var offered = step.making(group).offer().fees().orElseThrow();
    var fees = setup.gas().more(offered, baseFee).orMore(needed);
    if (setup.gas().ceiling().cover(fees)) {
      step.change(
          group,
          it ->
              it.withOffer(
                  it.takenUp() ? it.offer().standing(step.now()) : it.offer().offering(fees)));
      notTaken(step, group, "offers too little for its gas");
    } else {
      notTaken(step, group, "waits, since " + setup.gas().tooDear(fees));
    }
  }

  private void notTaken(FoundingStep step, GroupId group, String why) {
    step.standsStill(
        group,
        new Outcome.Refused(
            NOT_DEPLOYED,
            "The base ledger does not take the group's contract now: it "
                + why
                + "."
                + TRIED_AGAIN));
    move(step, group, FoundingEvent.WAIT);
  }

  private void onUnreachable(FoundingStep step, GroupId group, Throwable why) {
    var phase = step.state().find(group).map(Making::phase);
    if (phase.isPresent()) {
      switch (phase.get()) {
        case LOOKING, SUBMITTING, CHECKING -> {
          step.standsStill(group, new Outcome.Refused(NOT_DEPLOYED, said(why) + TRIED_AGAIN));
          move(step, group, FoundingEvent.WAIT);
        }
        case FINDING,
            ASKING_KEYS,
            STORING,
            ASKING_MEMBERS,
            ENDING,
            UNBEGUN,
            ELSEWHERE,
            UNGIVEN,
            UNMADE,
            UNENDED,
            GONE -> {}
      }
    }
  }

  // How it ends

  private void never(FoundingStep step, GroupId group, String code, String reason) {
    step.answerCaller(group, new Outcome.Refused(code, reason));
    step.change(group, making -> making.withEnded(Optional.of(reason)));
    move(step, group, FoundingEvent.NEVER);
  }

  private void end(FoundingStep step, GroupId group) {
    var making = step.making(group);
    var reason = making.ended().orElseThrow();
    if (making.stored().isPresent()) {
      step.effect(new FoundingEffect.StoreEnd(ended(step, making, reason)));
    } else {
      step.effect(new FoundingEffect.Refuse(group, making.accepted().orElseThrow(), reason));
    }
  }

  private StoredGroup ended(FoundingStep step, Making making, String reason) {
    return StoredGroup.of(making.group(), step.now())
        .withNotMade(Optional.of(reason))
        .withWithdrawal(Optional.of(new Withdrawal(step.now(), others(deployment(making)))));
  }

  private void onEndStored(FoundingStep step, GroupId group) {
    var making = step.making(group);
    if (making.stored().isPresent()) {
      step.effect(new FoundingEffect.Withdraw(ended(step, making, making.ended().orElseThrow())));
    }
    move(step, group, FoundingEvent.GO_ON);
  }

  /** A later try stores it. */
  private void onEndNotStored(FoundingStep step, GroupId group, Throwable why) {
    step.effect(
        new FoundingEffect.Failed(
            "Cannot store how the group %s ended (%s); it is tried again until it can be"
                .formatted(group, step.making(group).ended().orElseThrow()),
            why));
    move(step, group, FoundingEvent.WAIT);
  }

  private void onStanding(FoundingStep step, GroupId group) {
    step.goesWell(group);
    move(step, group, FoundingEvent.LET_GO);
  }

  // Time

  private void onTick(FoundingStep step) {
    var ticked = step.state().questions().open().tick(step.now());
    var silent =
        ticked.timedOut().stream()
            .map(id -> new Silent(id, step.state().questions().to(id).orElseThrow()))
            .toList();
    step.become(step.state().withQuestions(step.state().questions().with(ticked.rest())));
    ticked.resend().forEach(step::send);
    silent.forEach(each -> onSilent(step, each.id(), each.node()));
    var reading = step.state().reading();
    if (reading.at().filter(at -> !at.isAfter(step.now())).isPresent()) {
      read(step);
    }
  }

  private record Silent(RequestId id, NodeName node) {}

  /** Who has waited for long enough goes on, by the order in which they began to wait. */
  private void takeTurns(FoundingStep step) {
    var agenda = step.state().agenda();
    if (agenda.isEmpty() || agenda.firstKey().at().isAfter(step.now())) {
      return;
    }
    for (var entry : agenda.entrySet()) {
      if (entry.getKey().at().isAfter(step.now())) {
        return;
      }
      var group = entry.getValue();
      if (step.making(group).phase() == FoundingPhase.UNGIVEN) {
        move(step, group, FoundingEvent.DUE);
      } else if (step.state().turn().isEmpty()) {
        step.become(step.state().withTurn(Optional.of(group)));
        move(step, group, FoundingEvent.DUE);
      }
    }
  }

  private void move(FoundingStep step, GroupId group, FoundingEvent event) {
    FoundingTable.FOUNDING.move(
        step.making(group).phase(),
        event,
        group,
        (next, action) -> {
          step.become(step.state().offAgenda(group));
          step.change(group, making -> making.withPhase(next));
          if (FoundingTable.needsNoTurn(next)) {
            step.become(step.state().withTurn(step.state().turn().filter(it -> !it.equals(group))));
          }
          act(step, group, action);
          return next;
        });
  }

  private void act(FoundingStep step, GroupId group, FoundingTable.Action action) {
    switch (action) {
      case NOTHING -> {}
      case FIND -> step.effect(new FoundingEffect.Find(group));
      case ASK_KEYS -> askKeys(step, group);
      case STORE ->
          step.effect(new FoundingEffect.Store(step.making(group).stored().orElseThrow()));
      case ASK_MEMBERS -> {
        if (step.making(group).given()) {
          move(step, group, FoundingEvent.GO_ON);
        } else {
          askMembers(step, group);
        }
      }
      case LOOK -> {
        var offer = step.making(group).offer();
        step.effect(new FoundingEffect.Look(group, offer.pooled(), isOverdue(step, offer)));
      }
      case SUBMIT -> submit(step, group);
      case CHECK ->
          step.effect(new FoundingEffect.Look(group, step.making(group).offer().pooled(), false));
      case PAUSE -> step.become(step.state().onAgenda(group, step.now().plus(PAUSE)));
      case TURN -> step.become(step.state().onAgenda(group, step.now()));
      case END -> end(step, group);
      case FORGET -> step.become(step.state().without(group));
    }
  }
}
