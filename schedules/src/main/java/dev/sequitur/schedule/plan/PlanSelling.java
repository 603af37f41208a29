package dev.sequitur.schedule.plan;

import static dev.sequitur.schedule.family.Performance.refused;

import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.Refusal;
import dev.sequitur.schedule.Refusal.Code;
import dev.sequitur.schedule.Service;
import dev.sequitur.schedule.TokenId;
import dev.sequitur.schedule.abi.AbiDecoding;
import dev.sequitur.schedule.family.Act;
import dev.sequitur.schedule.family.FamilyResult;
import dev.sequitur.schedule.family.Performance;
import dev.sequitur.schedule.family.QueueView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The contract's modules Admin and Purchasing, and the refund of plans. */
record PlanSelling(PlanSettings settings) {
  private static final int PURCHASE_FIELDS = 2;

  Performance perform(QueueView view, PlanOperation.OfPlans operation, AccountId signer) {
    var state = PlanState.of(view.state());
    return switch (operation) {
      case PlanOperation.Approve approve -> approve(view, approve, signer);
      case PlanOperation.Purchase purchase ->
          paused(view).orElseGet(() -> purchase(view, purchase, signer));
      case PlanOperation.TransferAndCall call ->
          paused(view).orElseGet(() -> transferAndCall(view, call, signer));
      case PlanOperation.RequestPlanRefund(var plan) -> refund(view, new PlanAccount(signer, plan));
      case PlanOperation.Administered ignored when !signer.equals(view.administrator()) ->
          refused(Code.NOT_ALLOWED, "Only the service provider can do this.");
      case PlanOperation.AddPlan(var plan) ->
          paused(view).orElseGet(() -> addPlan(view, state, plan));
      case PlanOperation.RemovePlan(var plan) -> removePlan(state, plan);
      case PlanOperation.SetPayee(var payee) -> setPayee(view, state, payee);
      case PlanOperation.Pause() -> serve(view, Service.PAUSED);
      case PlanOperation.Unpause() -> serve(view, Service.ACTIVE);
    };
  }

  private static Performance removePlan(PlanState state, long plan) {
    return state.plan(plan).filter(Plan::active).isEmpty()
        ? notSold(plan)
        : done(new PlanEvent.PlanRemoved(plan));
  }

  /** Blocks pay it, which cannot refuse: so it must be able to take each money that is owed it. */
  private static Performance setPayee(QueueView view, PlanState state, AccountId payee) {
    return PlanSettings.whyNoPayee(payee)
        .map(why -> new Refusal(Code.NOT_ALLOWED, why))
        .or(() -> view.refusesPaying(payee))
        .or(
            () ->
                state.plans().stream()
                    .flatMap(plan -> plan.token().stream())
                    .flatMap(token -> noRoom(payee, token).stream())
                    .findFirst())
        .<Performance>map(refusal -> new Performance.Refused(refusal, Optional.empty()))
        .orElseGet(() -> done(new PlanEvent.PayeeSet(payee)));
  }

  /** Why somebody cannot have anything in a token: the account's name would be too long. */
  private static Optional<Refusal> noRoom(AccountId holder, TokenId token) {
    return holder.canHold(token)
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                Code.TOO_LARGE,
                "A name of "
                    + holder.value().length()
                    + " characters can hold nothing in "
                    + token
                    + ": take one that has 200 together with the token's and the # between."));
  }

  private Performance addPlan(QueueView view, PlanState state, Plan plan) {
    if (state.plans().size() >= settings.maxPlans()) {
      return refused(Code.TOO_LARGE, "There are " + settings.maxPlans() + " plans: no more fit.");
    } else if (!plan.active()) {
      return refused(Code.BAD_STATE, "Add a plan that is sold; remove it later.");
    } else if (plan.gasLimit() < view.gas().action()) {
      return refused(
          Code.TOO_LITTLE_GAS,
          "Each execution needs " + view.gas().action() + " gas at least: set that as its limit.");
    }
    var payee = state.payee();
    return view.refusesPaying(payee)
        .or(() -> plan.token().flatMap(token -> noRoom(payee, token)))
        .<Performance>map(refusal -> new Performance.Refused(refusal, Optional.empty()))
        .orElseGet(() -> added(state, plan));
  }

  private static Performance added(PlanState state, Plan plan) {
    return new Performance.Performed(
        List.of(new Act.Change(new PlanEvent.PlanAdded(plan))),
        Optional.of(new PlanResult.Added(state.plans().size())));
  }

  private static Performance serve(QueueView view, Service to) {
    return view.service()
        .cannotBecome(to, view.nothingWaits())
        .map(why -> refused(Code.BAD_STATE, why))
        .orElseGet(() -> new Performance.Performed(List.of(new Act.Serve(to)), Optional.empty()));
  }

  /**
   * Only of tokens that a plan is sold in, and by who has something in it, so that no one fills the
   * queue with others.
   */
  private static Performance approve(
      QueueView view, PlanOperation.Approve approve, AccountId signer) {
    var token = Optional.of(approve.token());
    var room = noRoom(signer, approve.token());
    if (PlanState.of(view.state()).plans().stream().noneMatch(plan -> plan.token().equals(token))) {
      return refused(Code.BAD_STATE, "No plan is sold in this token.");
    } else if (room.isPresent()) {
      return new Performance.Refused(room.get(), Optional.empty());
    }
    var purse = signer.in(approve.token());
    return approve.amount().isZero() || !view.book().available(purse).isZero()
        ? done(new PlanEvent.Approved(purse, approve.amount()))
        : refused(
            Code.INSUFFICIENT_BALANCE, "Nothing is in " + purse + " that could be drawn: fund it.");
  }

  private static Performance purchase(
      QueueView view, PlanOperation.Purchase purchase, AccountId signer) {
    var plan = PlanState.of(view.state()).plan(purchase.plan());
    if (plan.isPresent() && plan.get().token().isPresent()) {
      return purchase.value().isZero()
          ? buy(view, new Sale(signer, purchase.plan(), purchase.quantity(), Way.APPROVED))
          : refused(Code.WRONG_PAYMENT, "The plan is sold in a token: send no value with it.");
    }
    var sale = new Sale(signer, purchase.plan(), purchase.quantity(), Way.SENT);
    return checkSent(view, sale, purchase.value()).orElseGet(() -> buy(view, sale));
  }

  private static Performance transferAndCall(
      QueueView view, PlanOperation.TransferAndCall call, AccountId signer) {
    long number;
    long quantity;
    try {
      var fields = new AbiDecoding(call.data(), PURCHASE_FIELDS);
      number = fields.uint();
      quantity = fields.uint();
      fields.finish();
    } catch (IllegalArgumentException e) {
      return refused(
          Code.WRONG_PAYMENT, "Send (uint256 plan, uint256 quantity): " + e.getMessage());
    }
    var plan = PlanState.of(view.state()).plan(number);
    if (plan.isPresent() && !plan.get().token().equals(Optional.of(call.token()))) {
      return refused(Code.WRONG_PAYMENT, "The plan is not sold in this token.");
    }
    var sale = new Sale(signer, number, quantity, Way.SENT);
    return checkSent(view, sale, call.amount()).orElseGet(() -> buy(view, sale));
  }

  /** Whether what was sent is just the price; of a plan that is not sold {@link #buy} tells. */
  private static Optional<Performance> checkSent(QueueView view, Sale sale, Amount sent) {
    var plan = PlanState.of(view.state()).plan(sale.plan());
    if (plan.isEmpty() || plan.get().total(sale.quantity()).filter(sent::equals).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        refused(
            Code.WRONG_PAYMENT, "Send just the price: quantity times " + plan.get().price() + "."));
  }

  private static Performance buy(QueueView view, Sale sale) {
    var state = PlanState.of(view.state());
    var plan = state.plan(sale.plan()).filter(Plan::active);
    if (plan.isEmpty()) {
      return notSold(sale.plan());
    } else if (sale.quantity() < 0) {
      return refused(Code.BAD_STATE, "A quantity is not negative: buy some, or none.");
    }
    var room = plan.get().token().flatMap(token -> noRoom(sale.buyer(), token));
    if (room.isPresent()) {
      return new Performance.Refused(room.get(), Optional.empty());
    }
    var account = new PlanAccount(sale.buyer(), sale.plan());
    var total = plan.get().total(sale.quantity());
    if (total.isEmpty() || !state.canBuy(account, sale.quantity())) {
      return refused(Code.OVERFLOW, "That is more than any account can hold: buy less.");
    }
    var purse = plan.get().moneyOf(sale.buyer());
    if (sale.way() == Way.APPROVED && state.allowance(purse).compareTo(total.get()) < 0) {
      return refused(Code.NOT_APPROVED, "Approve " + total.get() + " of the token first.");
    } else if (!view.book().canPay(purse, total.get())) {
      return refused(
          Code.INSUFFICIENT_BALANCE, "It costs " + total.get() + ": fund " + purse + ".");
    }
    return sell(state, account, sale, total.get());
  }

  /** None at all is taken, and changes nothing (PLN-11). */
  private static Performance sell(PlanState state, PlanAccount account, Sale sale, Amount total) {
    var purse = state.require(account.plan()).moneyOf(account.requestor());
    long remaining = state.credit(account).remaining() + sale.quantity();
    var result = Optional.<FamilyResult>of(new PlanResult.Purchased(remaining));
    if (sale.quantity() == 0) {
      return new Performance.Performed(List.of(), result);
    }
    var acts = new ArrayList<Act>();
    if (sale.way() == Way.APPROVED) {
      var rest = state.allowance(purse).minus(total);
      acts.add(new Act.Change(new PlanEvent.Approved(purse, rest)));
    }
    acts.add(new Act.Change(new PlanEvent.ExecutionPurchased(account, sale.quantity())));
    if (!total.isZero()) {
      acts.add(new Act.SetAside(account.hold(), purse, total));
    }
    return new Performance.Performed(acts, result);
  }

  /** What waits or runs stays paid for (PLN-8). */
  private static Performance refund(QueueView view, PlanAccount account) {
    var state = PlanState.of(view.state());
    var credit = state.credit(account);
    if (view.service() == Service.ACTIVE) {
      return refused(Code.BAD_STATE, "Plans are refunded only while the service is paused.");
    } else if (credit.remaining() == 0) {
      return refused(Code.BAD_STATE, "Nothing is left of this plan to refund.");
    }
    var plan = state.require(account.plan());
    var acts = new ArrayList<Act>();
    acts.add(new Act.Change(new PlanEvent.PlanRefunded(account)));
    if (plan.price() > 0) {
      acts.add(
          credit.scheduled() == 0
              ? new Act.Release(account.hold())
              : new Act.Capture(
                  account.hold(),
                  plan.moneyOf(account.requestor()),
                  Amount.product(credit.remaining(), plan.price())));
    }
    return new Performance.Performed(acts, Optional.empty());
  }

  /** Before anything else is looked at (PLN-7): nobody is to mend what is refused all the same. */
  static Optional<Performance> paused(QueueView view) {
    return refusalAsPaused(view).map(why -> new Performance.Refused(why, Optional.empty()));
  }

  static Optional<Refusal> refusalAsPaused(QueueView view) {
    return view.service() == Service.ACTIVE
        ? Optional.empty()
        : Optional.of(
            new Refusal(
                Code.SERVICE_NOT_ACTIVE,
                "The service is paused: nothing is sold, scheduled or executed now."));
  }

  private static Performance notSold(long plan) {
    return refused(
        Code.BAD_STATE, "No plan " + plan + " is sold: plans_plans lists those that are.");
  }

  private static Performance done(PlanEvent event) {
    return new Performance.Performed(List.of(new Act.Change(event)), Optional.empty());
  }

  /** How a purchase is paid. */
  private enum Way {
    /** With what comes along. */
    SENT,
    /** Out of what was approved before. */
    APPROVED
  }

  private record Sale(AccountId buyer, long plan, long quantity, Way way) {}
}
