package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Conclusion;
import dev.sequitur.schedule.Outcome;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.OccurrenceEnding;
import dev.sequitur.schedule.family.QueueView;
import dev.sequitur.schedule.family.Run;
import dev.sequitur.schedule.multisignature.MultiSignatureEvent.Triggered;
import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.schedule.signing.TransactionReceipt;
import dev.sequitur.schedule.signing.TransactionRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The triggered transaction, at consensus time R. If its payer cannot pay, it moves nothing and is
 * recorded so (MSIG-11); if it fails otherwise, its fee is paid.
 */
final class Triggering {
  private final MultiSignatureSettings settings;
  private final QueueView view;
  private final MultiSignatureTerms terms;
  private final Action action;
  private final AccountId payer;
  private final Amount fee;
  private final List<Act> acts = new ArrayList<>();

  Triggering(MultiSignatureSettings settings, QueueView view, MultiSignatureTerms terms) {
    this.settings = settings;
    this.view = view;
    this.terms = terms;
    this.action = terms.creation().transaction().action();
    this.payer = terms.payer().account();
    this.fee = settings.fees().of(action);
  }

  Run run() {
    var body = terms.creation().transaction().hash();
    boolean again =
        settings.bodiesExecuteOnce() && MultiSignature.state(view).bodies().isExecuted(body);
    var refused = again ? Optional.of(executedBefore()) : refusedFee();
    boolean elsewhere = refused.isEmpty() && action instanceof Action.PrivateTransaction;
    boolean remembered = settings.bodiesExecuteOnce() && !again;
    var charged = refused.isPresent() ? Amount.ZERO : fee;
    acts.add(new Act.Change(new Triggered(terms.id(), body, remembered, elsewhere, charged)));
    if (refused.isPresent()) {
      return done(TransactionReceipt.of(refused.get()), Amount.ZERO, List.of());
    }
    acts.add(new Act.Pay(payer, AccountId.FEES, fee));
    return switch (action) {
      case Action.CryptoTransfer transfer -> transfer(transfer.transfers());
      case Action.CryptoCreate create -> create(create);
      case Action.CryptoUpdate update -> update(update);
      case Action.PrivateTransaction ignored -> handOver();
      case Action.Unschedulable not -> throw not.neverScheduled();
    };
  }

  /** Its target is run as that of any other schedule. */
  private Run handOver() {
    record(TransactionReceipt.of(ResponseCode.OK), fee, List.of());
    return new Run(acts, Optional.empty());
  }

  private ResponseCode executedBefore() {
    return settings.profile() == Profile.MVP
        ? ResponseCode.DUPLICATE_TRANSACTION
        : ResponseCode.SCHEDULE_ALREADY_EXECUTED;
  }

  private Optional<ResponseCode> refusedFee() {
    if (terms.creation().transaction().maxFee() < fee.units()) {
      return Optional.of(ResponseCode.INSUFFICIENT_TX_FEE);
    }
    long initial =
        switch (action) {
          case Action.CryptoCreate create -> create.initialBalance().units();
          // Its rows are looked at singly.
          case Action.CryptoTransfer ignored -> 0;
          case Action.CryptoUpdate ignored -> 0;
          case Action.PrivateTransaction ignored -> 0;
          case Action.Unschedulable not -> throw not.neverScheduled();
        };
    boolean payable =
        !view.keys().isDeleted(terms.payer())
            && view.book().available(payer).units() - fee.units() >= initial;
    return payable ? Optional.empty() : Optional.of(ResponseCode.INSUFFICIENT_PAYER_BALANCE);
  }

  private Run transfer(List<AccountAmount> rows) {
    var refused =
        Transfers.nameOneThatIsDeleted(view.keys(), rows)
            ? Optional.of(ResponseCode.ACCOUNT_DELETED)
            : Transfers.refusedGivers(view.book(), payer, fee, rows);
    if (refused.isPresent()) {
      return done(TransactionReceipt.of(refused.get()), fee, List.of());
    }
    acts.addAll(Transfers.payments(rows));
    return done(TransactionReceipt.of(ResponseCode.SUCCESS), fee, rows);
  }

  private Run create(Action.CryptoCreate create) {
    var id = view.keys().next();
    acts.addAll(opening(view, id, create, payer));
    return done(TransactionReceipt.opened(id), fee, initial(create, terms.payer(), id));
  }

  /** What a new account begins with, as its record has it. */
  static List<AccountAmount> initial(Action.CryptoCreate create, EntityId payer, EntityId id) {
    long initial = create.initialBalance().units();
    return initial == 0
        ? List.of()
        : List.of(new AccountAmount(payer, -initial), new AccountAmount(id, initial));
  }

  static List<Act> opening(
      QueueView view, EntityId id, Action.CryptoCreate create, AccountId payer) {
    var account = new Account(create.key(), create.receiverSigRequired(), create.memo());
    return List.of(
        new Act.OpenAccount(id, account.openedAt(view.now())),
        new Act.Pay(payer, id.account(), create.initialBalance()));
  }

  private Run update(Action.CryptoUpdate update) {
    var account = view.keys().account(update.account());
    var refused =
        account.isEmpty()
            ? Optional.of(ResponseCode.ACCOUNT_DELETED)
            : Updates.refusedAccount(update.account(), terms.payer())
                .or(() -> Updates.refusal(update.change()));
    if (refused.isPresent()) {
      return done(TransactionReceipt.of(refused.get()), fee, List.of());
    }
    acts.add(Updates.change(update.account(), account.get(), update.change()));
    return done(TransactionReceipt.of(ResponseCode.SUCCESS), fee, List.of());
  }

  private Run done(TransactionReceipt receipt, Amount charged, List<AccountAmount> transfers) {
    record(receipt, charged, transfers);
    Conclusion conclusion =
        receipt.status() == ResponseCode.SUCCESS
            ? new Conclusion.Succeeded(0)
            : new Conclusion.Failed(0, receipt.status().name(), false);
    return new Run(acts, Optional.of(conclusion));
  }

  private void record(TransactionReceipt receipt, Amount charged, List<AccountAmount> transfers) {
    var done = new Done(receipt, charged, transfers, Optional.empty());
    acts.addAll(MultiSignature.recorded(record(view, terms, done)));
  }

  /** Of what was handed over, when its outcome is known (MSIG-12). */
  static TransactionRecord outcome(
      QueueView view, MultiSignatureTerms terms, OccurrenceEnding.Ran ran) {
    var status =
        ran.outcome() == Outcome.RUN ? ResponseCode.SUCCESS : ResponseCode.CONTRACT_REVERT_EXECUTED;
    var receipt = TransactionReceipt.of(status);
    return record(view, terms, new Done(receipt, Amount.ZERO, List.of(), ran.transaction()));
  }

  /** What a record says beyond the schedule. */
  private record Done(
      TransactionReceipt receipt,
      Amount charged,
      List<AccountAmount> transfers,
      Optional<TransactionId> privateTransaction) {}

  private static TransactionRecord record(QueueView view, MultiSignatureTerms terms, Done done) {
    var transaction = terms.creation().transaction();
    return new TransactionRecord(
        done.receipt(),
        Bytes.of(transaction.hash().toByteArray()),
        transaction.hash(),
        view.now(),
        terms.scheduledId(),
        transaction.memo(),
        done.charged().units(),
        terms.payer(),
        done.transfers(),
        Optional.of(terms.id()),
        done.privateTransaction(),
        terms.group(),
        Optional.empty());
  }
}
