package dev.sequitur.schedule.book;

import dev.sequitur.protocol.paged.PagedMap;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.TokenId;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A double-entry book (ACC-1): every change takes from one account what it gives to another, so the
 * sum of all accounts is always zero. Money comes from and goes to {@link AccountId#OUTSIDE}; what
 * is set aside stands on {@link AccountId#HELD}, and each hold says whose part of it is. Each token
 * has these two accounts for itself, and nothing moves from one money to another.
 *
 * @param balances of accounts that were ever used, in units; only {@code OUTSIDE} is below zero
 * @param heldByOwner follows from the holds; see {@link #reindexed}
 */
public record Book(
    PagedMap<AccountId, Long> balances, PagedMap<HoldId, Hold> holds, HeldByOwner heldByOwner) {
  public static final Book EMPTY = new Book(PagedMap.empty(), PagedMap.empty());

  public Book(PagedMap<AccountId, Long> balances, PagedMap<HoldId, Hold> holds) {
    this(balances, holds, HeldByOwner.of(holds));
  }

  /** With what follows from the holds, for one that was kept without. */
  public Book reindexed() {
    return new Book(balances, holds);
  }

  /** No token's name has it. */
  private static final String HELD = "#held";

  /** What the account can spend: holds are not part of it. */
  public Amount available(AccountId account) {
    return new Amount(Math.max(0, balances.getOrDefault(account, 0L)));
  }

  /** What the account has and cannot spend, as it is set aside. */
  public Amount held(AccountId account) {
    return heldByOwner.of(account);
  }

  /** The very object that the book has for this account, so that there is one of it. */
  public AccountId shared(AccountId account) {
    return balances.sharedKey(account).orElse(account);
  }

  public Optional<Hold> hold(HoldId id) {
    return Optional.ofNullable(holds.get(id));
  }

  public boolean canPay(AccountId account, Amount amount) {
    return account.holder().equals(AccountId.OUTSIDE) || available(account).compareTo(amount) >= 0;
  }

  /** Whether so much may come in, of whatever money, without the book's sums overflowing. */
  public boolean canTake(Amount amount) {
    long room = Long.MAX_VALUE;
    // Those of all tokens follow the first one in the order of names.
    for (var outside : balances.from(AccountId.OUTSIDE)) {
      if (!outside.getKey().holder().equals(AccountId.OUTSIDE)) {
        break;
      }
      room += outside.getValue();
    }
    return amount.units() <= room;
  }

  /**
   * @throws IllegalStateException if {@code from} has too little, or counts another money
   */
  public Book post(AccountId from, AccountId to, Amount amount) {
    if (!canPay(from, amount)) {
      throw new IllegalStateException(from + " has not " + amount + " to pay to " + to);
    }
    return from.equals(to) || amount.isZero() ? this : move(from, to, amount);
  }

  /**
   * Sets money aside, whole or not at all.
   *
   * @throws IllegalStateException if the hold is open already or its owner has too little
   */
  public Book open(HoldId id, AccountId owner, Amount amount) {
    if (holds.containsKey(id)) {
      throw new IllegalStateException("The hold is open already: " + id);
    }
    return post(owner, heldFor(owner), amount).with(id, new Hold(owner, amount.units()));
  }

  /**
   * Sets more aside, in a hold that is opened if it is not open yet.
   *
   * @throws IllegalStateException if the hold is another owner's or its owner has too little
   */
  public Book add(HoldId id, AccountId owner, Amount amount) {
    return holds.containsKey(id)
        ? post(owner, heldFor(owner), amount).enlarge(id, owner, amount)
        : open(id, owner, amount);
  }

  /**
   * Moves a part of a hold to another one of the same owner, which is opened if need be.
   *
   * @throws IllegalStateException if the first is not open or has too little, or the second is
   *     another owner's
   */
  public Book shift(HoldId from, HoldId to, Amount amount) {
    var owner = require(from).owner();
    return capture(from, heldFor(owner), amount).enlarge(to, owner, amount);
  }

  /**
   * Pays a part of a hold; the rest stays held.
   *
   * @throws IllegalStateException if the hold is not open or has too little
   */
  public Book capture(HoldId id, AccountId to, Amount amount) {
    var hold = require(id, amount);
    if (amount.isZero()) {
      return this;
    }
    var rest = new Hold(hold.owner(), hold.units() - amount.units());
    return post(heldFor(hold.owner()), to, amount).with(id, rest);
  }

  /** A book after the end of a hold, and what of the hold went back to its owner. */
  public record Closed(Book book, Amount released) {}

  /**
   * {@link #capture} and {@link #release} at once.
   *
   * @throws IllegalStateException if the hold is not open or has too little
   */
  public Closed close(HoldId id, AccountId to, Amount amount) {
    var hold = require(id, amount);
    var held = heldFor(hold.owner());
    var rest = hold.amount().minus(amount);
    var closed = post(held, to, amount).post(held, hold.owner(), rest).without(id, hold);
    return new Closed(closed, rest);
  }

  /**
   * Ends a hold: what is left of it goes back to its owner.
   *
   * @throws IllegalStateException if the hold is not open, so that none can be settled twice
   */
  public Book release(HoldId id) {
    var hold = require(id);
    return post(heldFor(hold.owner()), hold.owner(), hold.amount()).without(id, hold);
  }

  public Audit audit() {
    long sum = 0;
    int overdrawn = 0;
    var held = Amount.ZERO;
    // What each money has too much: its accounts, and what is held of it beyond its holds.
    var excess = new TreeMap<String, Long>();
    for (var entry : balances.entrySet()) {
      var holder = entry.getKey().holder();
      var money = entry.getKey().token().map(TokenId::value).orElse("");
      sum += entry.getValue();
      excess.merge(money, entry.getValue(), Long::sum);
      if (holder.equals(AccountId.HELD)) {
        held = held.plus(available(entry.getKey()));
        excess.merge(money + HELD, entry.getValue(), Long::sum);
      }
      if (entry.getValue() < 0 && !holder.equals(AccountId.OUTSIDE)) {
        overdrawn++;
      }
    }
    var holdSum = Amount.ZERO;
    for (var hold : holds.values()) {
      holdSum = holdSum.plus(hold.amount());
      var money = hold.owner().token().map(TokenId::value).orElse("");
      excess.merge(money + HELD, -hold.amount().units(), Long::sum);
    }
    int unbalanced = (int) excess.values().stream().filter(units -> units != 0).count();
    unbalanced += heldByOwner.isOf(holds) ? 0 : 1;
    return new Audit(sum, held, holdSum, overdrawn, unbalanced);
  }

  private Hold require(HoldId id, Amount atLeast) {
    var hold = require(id);
    if (hold.units() < atLeast.units()) {
      throw new IllegalStateException(id + " holds " + hold.units() + ", not " + atLeast);
    }
    return hold;
  }

  private Book enlarge(HoldId id, AccountId owner, Amount amount) {
    var hold = hold(id).orElse(new Hold(owner, 0));
    if (!hold.owner().equals(owner)) {
      throw new IllegalStateException(id + " is " + hold.owner() + "'s, not " + owner + "'s");
    }
    long units = Math.addExact(hold.units(), amount.units());
    return with(id, new Hold(owner, units));
  }

  private Hold require(HoldId id) {
    return hold(id).orElseThrow(() -> new IllegalStateException("The hold is not open: " + id));
  }

  private static AccountId heldFor(AccountId owner) {
    return AccountId.HELD.inMoneyOf(owner);
  }

  private Book move(AccountId from, AccountId to, Amount amount) {
    if (!from.token().equals(to.token())) {
      throw new IllegalStateException(from + " and " + to + " do not count the same money");
    }
    long given = Math.subtractExact(balances.getOrDefault(from, 0L), amount.units());
    long got = Math.addExact(balances.getOrDefault(to, 0L), amount.units());
    return new Book(balances.plus(from, given).plus(to, got), holds, heldByOwner);
  }

  private Book with(HoldId id, Hold hold) {
    long before = hold(id).map(Hold::units).orElse(0L);
    return new Book(
        balances, holds.plus(id, hold), heldByOwner.plus(hold.owner(), hold.units() - before));
  }

  private Book without(HoldId id, Hold hold) {
    return new Book(balances, holds.minus(id), heldByOwner.plus(hold.owner(), -hold.units()));
  }
}
