package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.AccountsFound;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.Holder;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.InfoFound;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.InfosFound;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.RecordsFound;
import dev.sequitur.schedule.multisignature.MultiSignatureAnswer.SigningKeys;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Answers {@link MultiSignatureQuery}, at the time of the view. */
public final class MultiSignatureQueries {
  /** Of the keys that a sentence names. */
  private static final int MOST_NAMED = 5;

  /** Of the numbers that one page of schedules is made of. */
  static final int MOST_LOOKED_AT = 1_000;

  private final MultiSignature family;
  private final MultiSignatureSettings settings;
  private final QueueView view;
  private final MultiSignatureState state;

  public MultiSignatureQueries(MultiSignature family, QueueView view) {
    this.family = family;
    this.settings = family.settings();
    this.view = view;
    this.state = MultiSignature.state(view);
  }

  /** In {@code mvp} only what can still be signed; in {@code current} until it would expire. */
  public InfoFound getInfo(EntityId id) {
    var info = info(id);
    if (info.isPresent()) {
      return new InfoFound(ResponseCode.OK, info);
    }
    boolean mvp = settings.profile() == Profile.MVP;
    // A number is used once, so what is no account was a schedule.
    boolean known =
        id.compareTo(EntityId.FIRST) >= 0
            && id.compareTo(view.keys().next()) < 0
            && view.keys().known(id).isEmpty();
    return new InfoFound(
        mvp && known ? ResponseCode.SCHEDULE_DELETED : ResponseCode.INVALID_SCHEDULE_ID,
        Optional.empty());
  }

  private Optional<ScheduleInfo> info(EntityId id) {
    var closed = MultiSignature.closed(view, id);
    if (closed.isPresent()) {
      return closed.map(MultiSignatureQueries::ended);
    }
    boolean mvp = settings.profile() == Profile.MVP;
    return (mvp ? MultiSignature.find(view, id) : open(id))
        .map(MultiSignature::terms)
        .map(
            terms ->
                new ScheduleInfo(
                    terms,
                    List.copyOf(new TreeSet<>(state.waiting().signers(id))),
                    approvals(terms),
                    Optional.empty(),
                    Optional.empty()));
  }

  /** Looks at each number of the range: each was given to an account or to a schedule. */
  InfosFound schedules(EntityRange range, Optional<EntityId> creator) {
    long from = Math.max(range.from().number(), EntityId.FIRST.number());
    long to = Math.min(range.to().number(), view.keys().next().number() - 1);
    long numbers = Math.max(0, to - from + 1);
    var found = new ArrayList<ScheduleInfo>();
    long looked = 0;
    while (looked < Math.min(numbers, MOST_LOOKED_AT) && found.size() < range.limit()) {
      var id = new EntityId(range.descending() ? to - looked : from + looked);
      looked++;
      info(id)
          .filter(info -> creator.map(info.terms().creator()::equals).orElse(true))
          .ifPresent(found::add);
    }
    var last = new EntityId(Math.max(0, range.descending() ? to - looked + 1 : from + looked - 1));
    return new InfosFound(
        ResponseCode.OK, found, looked < numbers ? Optional.of(last) : Optional.empty());
  }

  AccountsFound accounts(EntityRange range) {
    var found = new ArrayList<Holder>();
    if (!range.isEmpty()) {
      var inRange = view.keys().accounts().subMap(range.from(), true, range.to(), true);
      for (var entry : (range.descending() ? inRange.descendingMap() : inRange).entrySet()) {
        if (found.size() == range.limit()) {
          break;
        }
        var id = entry.getKey();
        found.add(new Holder(id, entry.getValue(), view.book().available(id.account())));
      }
    }
    return new AccountsFound(view.now(), found);
  }

  RecordsFound records(TimeRange range, Optional<EntityId> account) {
    var since = state.records().oldest().orElseGet(view::now);
    if (range.isEmpty()) {
      return new RecordsFound(ResponseCode.OK, List.of(), Optional.empty(), since);
    }
    var inRange = state.records().byTime().subMap(range.from(), true, range.to(), true);
    var found = new ArrayList<RecordsFound.Found>();
    int looked = 0;
    Optional<ConsensusTime> last = Optional.empty();
    for (var entry : (range.descending() ? inRange.descendingMap() : inRange).entrySet()) {
      if (found.size() == range.limit() || looked == MOST_LOOKED_AT) {
        return new RecordsFound(ResponseCode.OK, found, last, since);
      }
      looked++;
      last = Optional.of(entry.getKey());
      record(entry.getKey(), entry.getValue())
          .filter(each -> account.map(id -> isAbout(each, id)).orElse(true))
          .ifPresent(found::add);
    }
    return new RecordsFound(ResponseCode.OK, found, Optional.empty(), since);
  }

  private Optional<RecordsFound.Found> record(ConsensusTime at, AccountTransactionId id) {
    return state.records().of(id).stream()
        .filter(record -> record.consensusTimestamp().equals(at))
        .findFirst()
        .map(
            record ->
                new RecordsFound.Found(
                    record, record.scheduleRef().flatMap(this::info).map(ScheduleInfo::terms)));
  }

  private static boolean isAbout(RecordsFound.Found found, EntityId account) {
    var record = found.record();
    var payer =
        found.trigger().map(MultiSignatureTerms::payer).orElse(record.transactionId().account());
    return payer.equals(account)
        || record.receipt().account().filter(account::equals).isPresent()
        || record
            .asked()
            .flatMap(TransactionRecord.Asked::about)
            .filter(account::equals)
            .isPresent()
        || record.transfers().stream().anyMatch(row -> row.account().equals(account));
  }

  /** One without an outcome that still waits or runs, and so has not just ended. */
  private Optional<Schedule> open(EntityId id) {
    return view.schedule(id.schedule())
        .filter(
            schedule -> !view.isStarted(schedule.id()) || state.waiting().running(id).isPresent())
        .filter(schedule -> !family.hasExpired(view, schedule));
  }

  private static ScheduleInfo ended(ClosedSchedule closed) {
    var at = Optional.of(closed.at());
    return new ScheduleInfo(
        closed.terms(),
        List.copyOf(closed.signers()),
        List.of(),
        closed.executed() ? Optional.empty() : at,
        closed.executed() ? at : Optional.empty());
  }

  public List<TransactionRecord> records(AccountTransactionId id) {
    return state.records().of(id);
  }

  public Optional<Account> account(EntityId id) {
    return view.keys().account(id);
  }

  boolean isDeleted(EntityId id) {
    return view.keys().isDeleted(id);
  }

  /** The terms of a schedule that can still be signed. */
  public Optional<MultiSignatureTerms> terms(EntityId schedule) {
    return MultiSignature.find(view, schedule).map(MultiSignature::terms);
  }

  public List<EntityId> waitingFor(List<PublicKey> keys, List<EntityId> among) {
    return among.stream().filter(id -> keysMissing(id).stream().anyMatch(keys::contains)).toList();
  }

  /** Those of the keys that can sign for it which have not signed yet. */
  public Set<PublicKey> keysMissing(EntityId schedule) {
    if (terms(schedule).filter(this::hasRunElsewhere).isPresent()) {
      return Set.of();
    }
    var keys = new TreeSet<>(keysToSign(schedule));
    keys.removeAll(state.waiting().signers(schedule));
    return keys;
  }

  private List<Approval> approvals(MultiSignatureTerms terms) {
    return RequiredKeys.of(view.keys(), settings.profile(), terms.creation(), terms.creator())
        .map(required -> required.approvals(state.waiting().signers(terms.id())))
        .orElse(List.of());
  }

  /** Whether another schedule of the same body was executed: then nobody can sign this one. */
  private boolean hasRunElsewhere(MultiSignatureTerms terms) {
    return settings.bodiesExecuteOnce()
        && state.bodies().isExecuted(terms.creation().transaction().hash());
  }

  /** Why it is not ready, in a sentence that names whose signatures it can use. */
  String whyNotSigned(MultiSignatureTerms terms) {
    if (hasRunElsewhere(terms)) {
      return "Another schedule of the same body has run, and a body runs once: this one only"
          + " expires. For another run, create it with another nonce.";
    }
    var keys = keysToSign(terms.id());
    var missing = keysMissing(terms.id());
    var named = missing.stream().limit(MOST_NAMED).map(MultiSignatureQueries::text).toList();
    int more = missing.size() - named.size();
    return "It waits for signatures: "
        + (keys.size() - missing.size())
        + " of "
        + keys.size()
        + " keys that can sign for it have signed. Still to sign: "
        + String.join(", ", named)
        + (more > 0 ? " and " + more + " more." : ".");
  }

  private static String text(PublicKey key) {
    var algorithm = key.algorithm() == PublicKey.Algorithm.ED25519 ? "ed25519:" : "secp256k1:";
    return algorithm + key.value().toHex().replaceFirst("^0x", "");
  }

  SigningKeys keysToCreate(EntityId payer, Creation creation) {
    var inner = keysToSign(creation, payer);
    var outer = keysOf(List.of(payer));
    outer.addAll(inner);
    creation.adminKey().ifPresent(key -> key.forEachPublicKey(outer::add));
    return keys(outer, inner, creation.transaction().bytes());
  }

  SigningKeys keysOfSchedule(EntityId payer, EntityId schedule) {
    var terms = terms(schedule);
    var inner = keysToSign(schedule);
    var outer = keysOf(List.of(payer));
    outer.addAll(inner);
    terms
        .flatMap(known -> known.creation().adminKey())
        .ifPresent(key -> key.forEachPublicKey(outer::add));
    var body = terms.map(known -> known.creation().transaction().bytes()).orElse(Bytes.EMPTY);
    return keys(outer, inner, body);
  }

  SigningKeys keysOfAccounts(List<EntityId> accounts) {
    return keys(keysOf(accounts), Set.of(), Bytes.EMPTY);
  }

  private SigningKeys keys(Set<PublicKey> outer, Set<PublicKey> inner, Bytes body) {
    return new SigningKeys(List.copyOf(outer), List.copyOf(inner), body, state.bodies().stored());
  }

  private Set<PublicKey> keysOf(List<EntityId> accounts) {
    var keys = new TreeSet<PublicKey>();
    for (var account : accounts) {
      account(account).ifPresent(known -> known.key().forEachPublicKey(keys::add));
    }
    return keys;
  }

  private Set<PublicKey> keysToSign(Creation creation, EntityId creator) {
    return RequiredKeys.of(view.keys(), settings.profile(), creation, creator)
        .map(RequiredKeys::publicKeys)
        .orElse(Set.of());
  }

  private Set<PublicKey> keysToSign(EntityId schedule) {
    return terms(schedule)
        .map(terms -> keysToSign(terms.creation(), terms.creator()))
        .orElse(Set.of());
  }
}
