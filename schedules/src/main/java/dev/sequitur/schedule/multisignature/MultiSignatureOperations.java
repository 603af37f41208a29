package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.DueKey;
import dev.sequitur.schedule.LatePolicy;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Target;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.Admission;
import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.Performance;
import dev.sequitur.schedule.family.Proposal;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Schedule;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionReceipt;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The operations of the specification's gRPC interface, one after the other. */
final class MultiSignatureOperations {
  private final MultiSignatureSettings settings;
  private final QueueView view;
  private final AccountId signer;

  MultiSignatureOperations(MultiSignatureSettings settings, QueueView view, AccountId signer) {
    this.settings = settings;
    this.view = view;
    this.signer = signer;
  }

  Performance perform(MultiSignatureOperation operation) {
    return switch (operation) {
      case MultiSignatureOperation.ScheduleCreate create -> create(create);
      case MultiSignatureOperation.ScheduleSign sign -> sign(sign);
      case MultiSignatureOperation.ScheduleDelete delete -> delete(delete);
      case MultiSignatureOperation.CryptoCreate create -> create(create);
      case MultiSignatureOperation.CryptoUpdate update -> update(update);
      case MultiSignatureOperation.CryptoDelete delete -> delete(delete);
      case MultiSignatureOperation.CryptoTransfer transfer -> transfer(transfer);
      case MultiSignatureOperation.RecordRefusal refusal -> record(refusal);
      case MultiSignatureOperation.QueryPayment payment -> pay(payment);
      case MultiSignatureOperation.Administered ignored when !signer.equals(view.administrator()) ->
          Performance.refused(
              Refusal.Code.NOT_ALLOWED, "Only the queue's administrator can do this.");
      case MultiSignatureOperation.OpenAccount(var account) -> {
        var id = view.keys().next();
        var opening = new Act.OpenAccount(id, account.openedAt(view.now()));
        yield performed(List.of(opening), TransactionReceipt.opened(id));
      }
      case MultiSignatureOperation.OpenReserved reserved -> open(reserved);
      case MultiSignatureOperation.BindKey(var identity, var key) -> {
        var bound = new Act.BindKey(identity, key);
        yield performed(List.of(bound), TransactionReceipt.of(ResponseCode.SUCCESS));
      }
    };
  }

  private Performance create(MultiSignatureOperation.ScheduleCreate create) {
    var by = new SubmissionRules(settings, view, create);
    int given = appended(create.sigMap().checks().size());
    var fee = settings.fees().create().plus(settings.fees().ofSignatures(given));
    var creator = create.by().id().account();
    var creating = new Creating(settings, view, create.creation());
    var refusal =
        by.refusal(signer, fee)
            .or(() -> tooMany(create.sigMap().checks().size()))
            .or(() -> by.refusedMemo(create.creation().memo()))
            .or(() -> by.refusedMemo(create.creation().transaction().memo()))
            .or(() -> creating.refusal(creator, create.by().signatures().signers()));
    if (refusal.isPresent()) {
      return refused(refusal.get());
    }
    if (settings.profile() == Profile.CURRENT) {
      var known = creating.known();
      if (known.isPresent()) {
        return refused(receipt(ResponseCode.IDENTICAL_SCHEDULE_ALREADY_CREATED, known.get(), true));
      }
    } else {
      var identical = creating.identical();
      if (identical.isPresent()) {
        return again(create, by, identical.get());
      }
    }
    var room = creating.refusedRoom(create.lookup());
    if (room.isPresent()) {
      return refused(room.get());
    }
    var body = create.creation().transaction().hash();
    var signing =
        Signing.of(
            settings.profile(),
            creating.required(creator).orElseThrow(),
            Set.of(),
            Signing.Collected.of(settings.profile(), create.by(), create.sigMap(), body));
    return signing
        .map(signatures -> create(create, by, creating.expirySecond(), signatures))
        .orElseGet(() -> refused(ResponseCode.SOME_SIGNATURES_WERE_INVALID));
  }

  private Performance create(
      MultiSignatureOperation.ScheduleCreate create,
      SubmissionRules by,
      long expirySecond,
      Signing signing) {
    var id = view.keys().next();
    var creation = create.creation();
    var scheduledId = create.by().id().triggered(creation.transaction().nonce());
    var terms = new MultiSignatureTerms(id, scheduledId, creation, expirySecond, view.now());
    var proposal = proposal(terms);
    var admitted =
        new Admission.Admitted(id.schedule(), DueKey.of(expirySecond, id.number()), Amount.ZERO);
    var fee =
        settings.fees().create().plus(settings.fees().ofSignatures(appended(signing.given())));
    List<Act> acts = new ArrayList<>();
    acts.add(new Act.Pay(by.payer(), AccountId.FEES, fee));
    acts.add(new Act.Admit(proposal, admitted));
    return signed(by, terms, signing, new Operation(acts, fee, true));
  }

  private static Proposal proposal(MultiSignatureTerms terms) {
    var payer = terms.payer().account();
    return switch (terms.creation().transaction().action()) {
      case Action.PrivateTransaction(var call, var retry) ->
          new Proposal(payer, terms, call, LatePolicy.AS_SPECIFIED, retry);
      case Action.CryptoTransfer ignored -> Proposal.of(payer, terms, new Target.ByFamily());
      case Action.CryptoCreate ignored -> Proposal.of(payer, terms, new Target.ByFamily());
      case Action.CryptoUpdate ignored -> Proposal.of(payer, terms, new Target.ByFamily());
      case Action.Unschedulable not -> throw not.neverScheduled();
    };
  }

  /** An identical creation merges its signatures. */
  private Performance again(
      MultiSignatureOperation.ScheduleCreate create, SubmissionRules by, Schedule existing) {
    int given = create.sigMap().checks().size();
    var fee = settings.fees().create().plus(settings.fees().ofSignatures(given));
    List<Act> acts = new ArrayList<>();
    acts.add(new Act.Pay(by.payer(), AccountId.FEES, fee));
    var body = create.creation().transaction().hash();
    return append(
        by,
        existing,
        Signing.Collected.of(settings.profile(), create.by(), create.sigMap(), body),
        new Operation(acts, fee, true));
  }

  private Performance sign(MultiSignatureOperation.ScheduleSign sign) {
    var by = new SubmissionRules(settings, view, sign);
    int given = appended(sign.sigMap().checks().size());
    var fee = settings.fees().sign().plus(settings.fees().ofSignatures(given));
    var refusal = by.refusal(signer, fee).or(() -> tooMany(sign.sigMap().checks().size()));
    if (refusal.isPresent()) {
      return refused(refusal.get());
    }
    var schedule = MultiSignature.find(view, sign.schedule());
    if (schedule.isEmpty()) {
      return refused(whyGone(sign.schedule()));
    }
    var body = MultiSignature.terms(schedule.get()).creation().transaction().hash();
    List<Act> acts = new ArrayList<>();
    acts.add(new Act.Pay(by.payer(), AccountId.FEES, fee));
    return append(
        by,
        schedule.get(),
        Signing.Collected.of(settings.profile(), sign.by(), sign.sigMap(), body),
        new Operation(acts, fee, false));
  }

  /**
   * What an operation has done so far.
   *
   * @param creates whether its receipt names the schedule
   */
  private record Operation(List<Act> acts, Amount fee, boolean creates) {}

  private Performance append(
      SubmissionRules by, Schedule schedule, Signing.Collected collected, Operation operation) {
    var terms = MultiSignature.terms(schedule);
    var state = state();
    if (settings.bodiesExecuteOnce()
        && state.bodies().isExecuted(terms.creation().transaction().hash())) {
      return refused(
          settings.profile() == Profile.MVP
              ? ResponseCode.INVALID_SCHEDULE_ID
              : ResponseCode.SCHEDULE_ALREADY_EXECUTED);
    }
    var required =
        RequiredKeys.of(view.keys(), settings.profile(), terms.creation(), terms.creator());
    if (required.isEmpty()) {
      return refused(ResponseCode.UNRESOLVABLE_REQUIRED_SIGNERS);
    }
    var before = state.waiting().signers(terms.id());
    var signing = Signing.of(settings.profile(), required.get(), before, collected);
    if (signing.isEmpty()) {
      return refused(ResponseCode.SOME_SIGNATURES_WERE_INVALID);
    }
    boolean fires = signing.get().ready() && !terms.creation().waitForExpiry();
    boolean nothing = operation.creates && signing.get().given() == 0;
    if (signing.get().added().isEmpty() && !fires && !nothing) {
      return refused(ResponseCode.NO_NEW_VALID_SIGNATURES);
    }
    return signed(by, terms, signing.get(), operation);
  }

  /** Adds who has signed and, if that is enough, runs the schedule a nanosecond later. */
  private Performance signed(
      SubmissionRules by, MultiSignatureTerms terms, Signing signing, Operation operation) {
    var acts = operation.acts;
    if (!signing.added().isEmpty()) {
      var keys = List.copyOf(new TreeSet<PublicKey>(signing.added()));
      acts.add(new Act.Change(new MultiSignatureEvent.Signed(terms.id(), keys)));
    }
    var receipt = receipt(ResponseCode.SUCCESS, terms, operation.creates);
    acts.addAll(MultiSignature.recorded(by.record(receipt, operation.fee, terms)));
    if (signing.ready() && !terms.creation().waitForExpiry()) {
      acts.add(new Act.Fire(terms.id().schedule(), 0));
    }
    return performed(acts, receipt);
  }

  private Performance delete(MultiSignatureOperation.ScheduleDelete delete) {
    var by = new SubmissionRules(settings, view, delete);
    var fee = settings.fees().delete();
    var refusal = by.refusal(signer, fee);
    if (refusal.isPresent()) {
      return refused(refusal.get());
    }
    var schedule = MultiSignature.find(view, delete.schedule());
    if (schedule.isEmpty()) {
      return refused(whyGone(delete.schedule()));
    }
    var terms = MultiSignature.terms(schedule.get());
    var adminKey = terms.creation().adminKey();
    if (adminKey.isEmpty()) {
      return refused(ResponseCode.SCHEDULE_IS_IMMUTABLE);
    } else if (!adminKey.get().isSatisfiedBy(delete.by().signatures().signers())) {
      return refused(ResponseCode.INVALID_SIGNATURE);
    }
    var receipt = TransactionReceipt.of(ResponseCode.SUCCESS);
    List<Act> acts = new ArrayList<>();
    acts.add(new Act.Pay(by.payer(), AccountId.FEES, fee));
    acts.add(
        new Act.End(
            schedule.get().id(),
            new OccurrenceEnding.NotRun(Outcome.CANCELLED),
            "Deleted by its admin key."));
    acts.addAll(MultiSignature.recorded(by.record(receipt, fee, terms)));
    return performed(acts, receipt);
  }

  private Performance create(MultiSignatureOperation.CryptoCreate create) {
    var by = new SubmissionRules(settings, view, create);
    var fee = settings.fees().cryptoCreate();
    var account = create.account();
    var refusal = by.refusal(signer, fee).or(() -> SubmissionRules.refusedMemo(account.memo()));
    if (refusal.isPresent()) {
      return refused(refusal.get());
    } else if (view.book().available(by.payer()).units() - fee.units()
        < account.initialBalance().units()) {
      return refused(ResponseCode.INSUFFICIENT_PAYER_BALANCE);
    } else if (account.receiverSigRequired()
        && !account.key().isSatisfiedBy(create.by().signatures().signers())) {
      return refused(ResponseCode.INVALID_SIGNATURE);
    }
    var id = view.keys().next();
    List<Act> acts = new ArrayList<>();
    acts.add(new Act.Pay(by.payer(), AccountId.FEES, fee));
    acts.addAll(Triggering.opening(view, id, account, by.payer()));
    var rows = Triggering.initial(account, create.by().id().account(), id);
    acts.addAll(MultiSignature.recorded(by.record(TransactionReceipt.opened(id), fee, rows)));
    return performed(acts, TransactionReceipt.opened(id));
  }

  private Performance update(MultiSignatureOperation.CryptoUpdate update) {
    var by = new SubmissionRules(settings, view, update);
    var fee = settings.fees().cryptoUpdate();
    var refusal = by.refusal(signer, fee);
    if (refusal.isPresent()) {
      return refused(refusal.get());
    }
    var account = view.keys().account(update.account());
    var change = update.change();
    var signers = update.by().signatures().signers();
    if (account.isEmpty()) {
      return refused(notThere(update.account(), ResponseCode.INVALID_ACCOUNT_ID));
    }
    var notAllowed = Updates.refusedAccount(update.account(), update.by().id().account());
    if (notAllowed.isPresent()) {
      return refused(notAllowed.get());
    } else if (!account.get().key().isSatisfiedBy(signers)
        || !change.key().map(key -> key.isSatisfiedBy(signers)).orElse(true)) {
      return refused(ResponseCode.INVALID_SIGNATURE);
    }
    var unable = Updates.refusal(change);
    if (unable.isPresent()) {
      return refused(unable.get());
    }
    var receipt = TransactionReceipt.of(ResponseCode.SUCCESS);
    List<Act> acts = new ArrayList<>();
    acts.add(new Act.Pay(by.payer(), AccountId.FEES, fee));
    acts.add(Updates.change(update.account(), account.get(), change));
    acts.addAll(MultiSignature.recorded(by.record(receipt, fee)));
    return performed(acts, receipt);
  }

  /** That it was deleted, of one that was there. */
  private ResponseCode notThere(EntityId account, ResponseCode nobody) {
    return view.keys().isDeleted(account) ? ResponseCode.ACCOUNT_DELETED : nobody;
  }

  private Performance delete(MultiSignatureOperation.CryptoDelete delete) {
    var by = new SubmissionRules(settings, view, delete);
    var fee = settings.fees().cryptoUpdate();
    var refusal = by.refusal(signer, fee).or(() -> refusedDeletion(by, delete));
    if (refusal.isPresent()) {
      return refused(refusal.get());
    }
    var receipt = TransactionReceipt.of(ResponseCode.SUCCESS);
    var own = delete.account().account();
    long left = view.book().available(own).units() - (own.equals(by.payer()) ? fee.units() : 0);
    var rows =
        left == 0
            ? List.<AccountAmount>of()
            : List.of(
                new AccountAmount(delete.account(), -left), new AccountAmount(delete.to(), left));
    var account = view.keys().account(delete.account()).orElseThrow();
    List<Act> acts = new ArrayList<>();
    acts.add(new Act.Pay(by.payer(), AccountId.FEES, fee));
    if (!rows.isEmpty()) {
      acts.addAll(Transfers.payments(rows));
    }
    acts.add(new Act.ChangeAccount(delete.account(), account.asDeleted()));
    acts.addAll(MultiSignature.recorded(by.record(receipt, fee, rows)));
    return performed(acts, receipt);
  }

  private Optional<ResponseCode> refusedDeletion(
      SubmissionRules by, MultiSignatureOperation.CryptoDelete delete) {
    var account = view.keys().account(delete.account());
    var to = view.keys().account(delete.to());
    if (delete.account().equals(delete.to())) {
      return Optional.of(ResponseCode.TRANSFER_ACCOUNT_SAME_AS_DELETE_ACCOUNT);
    } else if (account.isEmpty()) {
      return Optional.of(notThere(delete.account(), ResponseCode.INVALID_ACCOUNT_ID));
    } else if (delete.account().compareTo(EntityId.FIRST) < 0) {
      return Optional.of(ResponseCode.ENTITY_NOT_ALLOWED_TO_DELETE);
    } else if (to.isEmpty()) {
      return Optional.of(notThere(delete.to(), ResponseCode.INVALID_TRANSFER_ACCOUNT_ID));
    }
    boolean signed =
        account.get().key().isSatisfiedBy(by.signers())
            && (!to.get().receiverSigRequired() || to.get().key().isSatisfiedBy(by.signers()));
    return signed ? Optional.empty() : Optional.of(ResponseCode.INVALID_SIGNATURE);
  }

  private Performance transfer(MultiSignatureOperation.CryptoTransfer transfer) {
    var by = new SubmissionRules(settings, view, transfer);
    var fee = settings.fees().cryptoTransfer();
    var rows = transfer.transfer().transfers();
    var refusal =
        by.refusal(signer, fee)
            .or(() -> Transfers.refusal(settings, rows))
            .or(() -> refusedSigners(by, rows, ResponseCode.INVALID_ACCOUNT_ID))
            .or(() -> Transfers.refusedGivers(view.book(), by.payer(), fee, rows));
    if (refusal.isPresent()) {
      return refused(refusal.get());
    }
    var receipt = TransactionReceipt.of(ResponseCode.SUCCESS);
    List<Act> acts = new ArrayList<>();
    acts.add(new Act.Pay(by.payer(), AccountId.FEES, fee));
    acts.addAll(Transfers.payments(rows));
    acts.addAll(MultiSignature.recorded(by.record(receipt, fee, rows)));
    return performed(acts, receipt);
  }

  /**
   * @param nobody the code if an account is not there
   */
  private Optional<ResponseCode> refusedSigners(
      SubmissionRules by, List<AccountAmount> rows, ResponseCode nobody) {
    var required = RequiredKeys.of(view.keys(), new Action.CryptoTransfer(rows));
    if (Transfers.nameOneThatIsDeleted(view.keys(), rows)) {
      return Optional.of(ResponseCode.ACCOUNT_DELETED);
    } else if (required.isEmpty()) {
      return Optional.of(nobody);
    }
    return required.get().areSatisfiedBy(by.signers())
        ? Optional.empty()
        : Optional.of(ResponseCode.INVALID_SIGNATURE);
  }

  private Performance pay(MultiSignatureOperation.QueryPayment payment) {
    var by = new SubmissionRules(settings, view, payment);
    var fee = settings.fees().cryptoTransfer();
    var node = payment.node();
    var rows = payment.transfer().transfers();
    var others = rows.stream().filter(row -> !row.account().equals(node)).toList();
    var refusal =
        by.refusal(signer, fee)
            .or(() -> Transfers.refusal(settings, rows))
            .or(() -> refusedPrice(node, rows))
            .or(() -> refusedSigners(by, others, ResponseCode.ACCOUNT_ID_DOES_NOT_EXIST))
            .or(
                () ->
                    Transfers.refusedGivers(view.book(), by.payer(), fee, others)
                        .map(code -> ResponseCode.INSUFFICIENT_PAYER_BALANCE));
    if (refusal.isPresent()) {
      return refused(refusal.get());
    }
    var receipt = TransactionReceipt.of(ResponseCode.SUCCESS);
    List<Act> acts = new ArrayList<>();
    acts.add(new Act.Pay(by.payer(), AccountId.FEES, fee));
    var receiver = view.keys().account(node).isPresent() ? node.account() : AccountId.FEES;
    acts.addAll(Transfers.payments(rows, id -> id.equals(node) ? receiver : id.account()));
    acts.addAll(MultiSignature.recorded(by.record(receipt, fee, rows)));
    return performed(acts, receipt);
  }

  private Optional<ResponseCode> refusedPrice(EntityId node, List<AccountAmount> rows) {
    var received =
        rows.stream().filter(row -> row.account().equals(node) && row.units() > 0).findFirst();
    if (received.isEmpty()) {
      return Optional.of(ResponseCode.INVALID_RECEIVING_NODE_ACCOUNT);
    }
    return received.get().units() < settings.fees().query().units()
        ? Optional.of(ResponseCode.INSUFFICIENT_TX_FEE)
        : Optional.empty();
  }

  /** What would be refused before anything is looked at has no receipt. */
  private Performance record(MultiSignatureOperation.RecordRefusal refused) {
    var by = new SubmissionRules(settings, view, refused);
    var fee = settings.fees().sign();
    var refusal = by.refusal(signer, fee);
    if (refusal.isPresent()) {
      return refused(refusal.get());
    }
    List<Act> acts = new ArrayList<>();
    acts.add(new Act.Pay(by.payer(), AccountId.FEES, fee));
    acts.addAll(MultiSignature.recorded(by.record(refused.receipt(), fee)));
    return performed(acts, refused.receipt());
  }

  private Performance open(MultiSignatureOperation.OpenReserved reserved) {
    var id = reserved.id();
    if (id.number() < 1 || id.compareTo(EntityId.FIRST) >= 0) {
      return Performance.refused(
          Refusal.Code.NOT_ALLOWED,
          "Open an account under a number from 1 to " + (EntityId.FIRST.number() - 1) + ".");
    } else if (view.keys().known(id).isPresent()) {
      return Performance.refused(Refusal.Code.DUPLICATE, "The account " + id + " is there.");
    } else if (!view.book().canTake(reserved.balance())) {
      return Performance.refused(Refusal.Code.OVERFLOW, "The queue cannot hold so much.");
    }
    var money = new Act.Pay(AccountId.OUTSIDE, id.account(), reserved.balance());
    var opening = new Act.OpenAccount(id, reserved.account().openedAt(view.now()));
    return performed(List.of(opening, money), TransactionReceipt.opened(id));
  }

  private ResponseCode whyGone(EntityId id) {
    if (settings.profile() == Profile.MVP) {
      return ResponseCode.INVALID_SCHEDULE_ID;
    }
    var closed = MultiSignature.closed(view, id);
    if (closed.isPresent()) {
      return closed.get().executed()
          ? ResponseCode.SCHEDULE_ALREADY_EXECUTED
          : ResponseCode.SCHEDULE_ALREADY_DELETED;
    } else if (state().waiting().running(id).isPresent()) {
      return ResponseCode.SCHEDULE_ALREADY_EXECUTED;
    }
    // What has ended stays until the next block, and is nobody's any more.
    return view.schedule(id.schedule()).isPresent() && !view.isStarted(id.schedule())
        ? ResponseCode.SCHEDULE_PENDING_EXPIRATION
        : ResponseCode.INVALID_SCHEDULE_ID;
  }

  /** In {@code current} the signatures are those of the transaction itself. */
  private int appended(int signatures) {
    return settings.profile() == Profile.MVP ? signatures : 0;
  }

  private Optional<ResponseCode> tooMany(int signatures) {
    return signatures > settings.limits().maxSignatures()
        ? Optional.of(ResponseCode.TRANSACTION_OVERSIZE)
        : Optional.empty();
  }

  private static TransactionReceipt receipt(
      ResponseCode status, MultiSignatureTerms terms, boolean names) {
    Optional<AccountTransactionId> scheduled = Optional.of(terms.scheduledId());
    return new TransactionReceipt(
        status, Optional.empty(), names ? Optional.of(terms.id()) : Optional.empty(), scheduled);
  }

  private MultiSignatureState state() {
    return MultiSignature.state(view);
  }

  private Performance performed(List<Act> acts, TransactionReceipt receipt) {
    return new Performance.Performed(acts, Optional.of(result(receipt)));
  }

  private Performance refused(ResponseCode code) {
    return refused(TransactionReceipt.of(code));
  }

  private Performance refused(TransactionReceipt receipt) {
    var plain = receipt.status().refusal(settings.profile());
    var refusal = receipt.schedule().map(id -> plain.and(known(receipt, id))).orElse(plain);
    return new Performance.Refused(refusal, Optional.of(result(receipt)));
  }

  private static String known(TransactionReceipt receipt, EntityId id) {
    return "It is "
        + id
        + receipt.scheduledTransaction().map(ran -> ", and its execution " + ran).orElse("")
        + ".";
  }

  private FamilyResult result(TransactionReceipt receipt) {
    return MultiSignatureResult.of(receipt, settings.profile());
  }
}
