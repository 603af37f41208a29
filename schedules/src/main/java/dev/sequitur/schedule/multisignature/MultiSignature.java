package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.OccurrenceKey;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.Verdict;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.Admission;
import dev.sequitur.schedule.family.Agenda;
import dev.sequitur.schedule.family.Family;
import dev.sequitur.schedule.family.FamilyEvent;
import dev.sequitur.schedule.family.FamilyOperation;
import dev.sequitur.schedule.family.FamilyState;
import dev.sequitur.schedule.family.Forecast;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Performance;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Run;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.family.Settlement;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.pcollections.TreePSet;

/**
 * Schedules that run once enough have signed (docs/rules/multi-signature.md). The due order is the
 * text's monotonic queue of expiries. Signatures are verified before they get here; this says who
 * must sign, and whether they have.
 */
public record MultiSignature(MultiSignatureSettings settings)
    implements Family.Operated,
        Family.Signed,
        Family.Stamped,
        Family.Expiring,
        Family.Running,
        Family.Limiting,
        Family.Archiving,
        Family.Following {
  private static final long MILLIS_PER_SECOND = 1_000;

  /**
   * Of records, and of schedules that have ended, by one event, so that no command waits for all
   * that has piled up. A replay forgets as many: it stays as it is.
   */
  private static final int MOST_FORGOTTEN = 1_000;

  private static final String NO_LONGER_SIGNED =
      "A key that has to sign has changed since: schedule it again, with the new key's signature.";

  @Override
  public FamilyKind kind() {
    return FamilyKind.MULTI_SIGNATURE;
  }

  @Override
  public FamilyState initial() {
    return MultiSignatureState.INITIAL;
  }

  /** Creation merges signatures and may run at once, so it is an operation of its own. */
  @Override
  public Admission admit(QueueView view, Proposal proposal, AccountId signer) {
    return Admission.refused(
        Refusal.Code.NOT_ALLOWED, "Create a multi-signature schedule by a ScheduleCreate.");
  }

  @Override
  public Optional<Refusal> refusesCancel(QueueView view, Schedule schedule, AccountId signer) {
    return Optional.of(
        new Refusal(
            Refusal.Code.NOT_ALLOWED,
            "Delete a multi-signature schedule by a ScheduleDelete, signed by its admin key."));
  }

  @Override
  public Performance perform(QueueView view, FamilyOperation operation, AccountId signer) {
    return perform(view, Family.own(MultiSignatureOperation.class, operation), signer);
  }

  private Performance perform(QueueView view, MultiSignatureOperation operation, AccountId signer) {
    return operation instanceof MultiSignatureOperation.Submitted
            && view.service() != Service.ACTIVE
        ? notServed(view.service())
        : new MultiSignatureOperations(settings, view, signer).perform(operation);
  }

  @Override
  public Performance.Refused busy(Refusal refusal) {
    return new Performance.Refused(
        ResponseCode.BUSY.refusal(settings.profile()), Optional.of(busy()));
  }

  /** Hedera has no code for it but BUSY; who tries again soon is told that it is no use. */
  private Performance notServed(Service service) {
    var sentence =
        "BUSY: multi-signature schedules are "
            + service.words()
            + ": try again when they are served again.";
    return new Performance.Refused(
        new Refusal(Refusal.Code.SERVICE_NOT_ACTIVE, sentence), Optional.of(busy()));
  }

  private MultiSignatureResult busy() {
    return MultiSignatureResult.of(TransactionReceipt.of(ResponseCode.BUSY), settings.profile());
  }

  /** All that has expired and nothing else: what has not waits for signatures, not for a time. */
  @Override
  public Agenda agenda(QueueView view) {
    var notExpired = DueKey.from(view.now().seconds() + 1);
    int limit = settings.expiry().perStep();
    return new Agenda(notExpired, notExpired, limit, limit);
  }

  /** One that waits for its time is run if enough have signed by then, with their present keys. */
  @Override
  public Verdict onDue(QueueView view, Schedule schedule) {
    var terms = terms(schedule);
    return terms.creation().waitForExpiry() && isReady(view, terms) ? Verdict.FIRE : Verdict.EXPIRE;
  }

  /** One that runs at its time has not: it is about to. */
  @Override
  public boolean hasExpired(QueueView view, Schedule schedule) {
    return terms(schedule).expirySecond() <= view.now().seconds()
        && !view.isStarted(schedule.id())
        && onDue(view, schedule) == Verdict.EXPIRE;
  }

  private boolean isReady(QueueView view, MultiSignatureTerms terms) {
    var state = state(view);
    var required =
        RequiredKeys.of(view.keys(), settings.profile(), terms.creation(), terms.creator());
    return required.isPresent()
        && required.get().areSatisfiedBy(state.waiting().signers(terms.id()));
  }

  /** Fees are per operation, not per gas. */
  @Override
  public List<Long> price(QueueView view, List<Schedule> selected) {
    return Collections.nCopies(selected.size(), 0L);
  }

  @Override
  public long gasLimit(QueueView view, Schedule schedule) {
    return Long.MAX_VALUE;
  }

  @Override
  public Run run(QueueView view, Schedule schedule, OccurrenceKey attempt) {
    var terms = terms(schedule);
    if (attempt.attempt() == 1) {
      return new Triggering(settings, view, terms).run();
    }
    // The first attempt has paid and is recorded; whose keys have to agree may have changed since.
    return isReady(view, terms)
        ? Run.AS_TARGETED
        : new Run(List.of(), Optional.of(new Conclusion.Failed(0, NO_LONGER_SIGNED, false)));
  }

  @Override
  public Settlement settle(QueueView view, Schedule schedule, OccurrenceEnding ending) {
    var terms = terms(schedule);
    var running = state(view).waiting().running(terms.id());
    boolean elsewhere = running.map(MultiSignatureState.Running::elsewhere).orElse(false);
    List<Act> acts =
        elsewhere && ending instanceof OccurrenceEnding.Ran ran
            ? recorded(Triggering.outcome(view, terms, ran))
            : List.of();
    return new Settlement(Amount.ZERO, AccountId.FEES, acts, Optional.empty(), Optional.empty());
  }

  /** The fee of its execution; those of creating and signing it are in their own records. */
  @Override
  public Amount charged(FamilyState state, Schedule schedule, Outcome outcome, Amount captured) {
    return state(state)
        .waiting()
        .running(terms(schedule).id())
        .map(MultiSignatureState.Running::fee)
        .orElse(Amount.ZERO);
  }

  /** Nothing is deposited: each fee is paid when it falls due. */
  @Override
  public Amount owed(Schedule schedule, Amount held) {
    return Amount.ZERO;
  }

  /** What waits for signatures has nothing due before it expires. */
  @Override
  public long dueNanos(DueKey first) {
    return ConsensusTime.nanosOf(first.time(), MILLIS_PER_SECOND);
  }

  /** Only what waits for its expiry runs at a time. */
  @Override
  public Optional<ConsensusTime> askedFor(Schedule schedule) {
    var terms = Family.own(MultiSignatureTerms.class, schedule.proposal().terms());
    return terms.creation().waitForExpiry()
        ? Optional.of(ConsensusTime.ofSeconds(terms.expirySecond()))
        : Optional.empty();
  }

  /** One that runs at that time ends then, too: without the signatures that it waits for. */
  @Override
  public Optional<ConsensusTime> expires(QueueView view, Schedule schedule) {
    return Optional.of(ConsensusTime.ofSeconds(terms(schedule).expirySecond()));
  }

  /** Not more than one such event a second, unless there is more to forget than one forgets. */
  @Override
  public Optional<FamilyEvent> onBlockEnd(QueueView view, Optional<Schedule> firstLeft) {
    var state = state(view);
    long second = view.now().seconds();
    long oldest = second - settings.limits().maxValidSecs();
    boolean records = state.records().oldest().map(time -> time.seconds() < oldest).orElse(false);
    if (!records && !state.closed().hasExpired(second)) {
      return Optional.empty();
    }
    var before = ConsensusTime.ofSeconds(Math.max(0, oldest));
    return Optional.of(new MultiSignatureEvent.Forgotten(before, second));
  }

  @Override
  public FamilyState evolve(FamilyState state, FamilyEvent event) {
    return evolve(state(state), Family.own(MultiSignatureEvent.class, event));
  }

  private MultiSignatureState evolve(MultiSignatureState state, MultiSignatureEvent event) {
    return switch (event) {
      case MultiSignatureEvent.Signed signed -> state.withWaiting(state.waiting().sign(signed));
      case MultiSignatureEvent.Triggered triggered -> onTriggered(state, triggered);
      case MultiSignatureEvent.BodiesArchived(var upTo) ->
          state.withBodies(state.bodies().archive(upTo));
      case MultiSignatureEvent.Recorded(var record) ->
          state.withRecords(state.records().plus(record));
      case MultiSignatureEvent.Forgotten(var records, var second) ->
          state
              .with()
              .records(state.records().forget(records, MOST_FORGOTTEN))
              .closed(state.closed().forget(second, MOST_FORGOTTEN))
              .build();
    };
  }

  /** Of ScheduleGetInfo: the text throttles each of its operations. */
  @Override
  public long questionsPerSecond() {
    return settings.throttles().getInfo();
  }

  @Override
  public int mostUnstored() {
    return settings.limits().maxUnarchived();
  }

  @Override
  public Optional<FamilyEvent> onStored(FamilyState state, long upTo) {
    return state(state).bodies().stored() < upTo
        ? Optional.of(new MultiSignatureEvent.BodiesArchived(upTo))
        : Optional.empty();
  }

  /** In {@code current} it stays what an identical creation is told of. */
  private MultiSignatureState onTriggered(
      MultiSignatureState state, MultiSignatureEvent.Triggered triggered) {
    var bodies =
        settings.profile() == Profile.CURRENT
            ? state.bodies()
            : state.bodies().minus(triggered.body(), triggered.schedule());
    var next = state.withBodies(triggered.remembered() ? bodies.execute(triggered.body()) : bodies);
    var running = new MultiSignatureState.Running(triggered.fee(), triggered.elsewhere());
    return next.withWaiting(next.waiting().run(triggered.schedule(), running));
  }

  @Override
  public FamilyState onAdmitted(FamilyState state, Schedule schedule) {
    var mine = state(state);
    var terms = terms(schedule);
    return mine.with()
        .bodies(mine.bodies().plus(terms.creation().transaction().hash(), terms.id()))
        .waiting(mine.waiting().admit(terms.expirySecond()))
        .build();
  }

  /** In {@code current} it can be asked for until it would have expired. */
  @Override
  public FamilyState onSettled(FamilyState state, Schedule schedule, Ended settled) {
    var mine = state(state);
    var terms = terms(schedule);
    boolean readable =
        settings.profile() == Profile.CURRENT && settled.outcome() != Outcome.EXPIRED;
    boolean executed = settled.outcome() == Outcome.RUN || settled.outcome() == Outcome.FAILED;
    var signers = mine.waiting().signers().getOrDefault(terms.id(), TreePSet.<PublicKey>empty());
    var closed = new ClosedSchedule(terms, signers, executed, settled.at());
    return mine.with()
        .waiting(mine.waiting().settle(terms.id(), terms.expirySecond()))
        .bodies(mine.bodies().minus(terms.creation().transaction().hash(), terms.id()))
        .closed(readable ? mine.closed().plus(closed) : mine.closed())
        .build();
  }

  /**
   * In {@code current} the time is one that a schedule names as its expiry, whether it waits for
   * that or not; in {@code mvp} none is named, and the time says when it would be created.
   */
  @Override
  public Forecast forecast(QueueView view, ConsensusTime at) {
    long second = at.seconds();
    long ahead = second - view.now().seconds();
    var state = state(view);
    boolean current = settings.profile() == Profile.CURRENT;
    int taken = current ? state.keptUntil(second) : state.waiting().expiringAfter(second);
    long most = current ? settings.expiry().maxPerSecond() : settings.maxPending();
    boolean outside = current ? ahead <= 0 || ahead > settings.expiry().maxFutureSecs() : ahead < 0;
    return new Forecast(
        ConsensusTime.ofSeconds(second),
        taken,
        (int) Math.min(most, Integer.MAX_VALUE),
        settings.fees().least().units(),
        outside || taken >= most);
  }

  @Override
  public String whyWaiting(QueueView view, Schedule schedule) {
    var terms = terms(schedule);
    if (hasExpired(view, schedule)) {
      return "It has expired and is about to go.";
    } else if (isReady(view, terms)) {
      return terms.expirySecond() > view.now().seconds()
          ? "Enough have signed; it waits for its time."
          : "Its time has just come: no block has been cut since.";
    }
    return new MultiSignatureQueries(this, view).whyNotSigned(terms);
  }

  /** One that can still be signed: not started, not expired. */
  static Optional<Schedule> find(QueueView view, EntityId id) {
    return view.schedule(id.schedule())
        .filter(schedule -> !view.isStarted(schedule.id()))
        .filter(schedule -> terms(schedule).expirySecond() > view.now().seconds());
  }

  /** One that has its end and can still be asked for. */
  static Optional<ClosedSchedule> closed(QueueView view, EntityId id) {
    return Optional.ofNullable(state(view).closed().schedules().get(id))
        .filter(closed -> closed.terms().expirySecond() > view.now().seconds());
  }

  /** Kept, and exported. */
  static List<Act> recorded(TransactionRecord record) {
    List<Act> acts = new ArrayList<>();
    acts.add(new Act.Change(new MultiSignatureEvent.Recorded(record)));
    acts.add(new Act.Announce(new MultiSignatureNotice.Exported(record)));
    return acts;
  }

  static MultiSignatureState state(QueueView view) {
    return state(view.state());
  }

  private static MultiSignatureState state(FamilyState state) {
    return Family.own(MultiSignatureState.class, state);
  }

  static MultiSignatureTerms terms(Schedule schedule) {
    return Family.own(MultiSignatureTerms.class, schedule.proposal().terms());
  }
}
