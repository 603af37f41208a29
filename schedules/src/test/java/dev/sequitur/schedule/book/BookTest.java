package dev.sequitur.schedule.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.TokenId;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class BookTest {
  private static final AccountId ALICE = new AccountId("alice");
  private static final AccountId BOB = new AccountId("bob");
  private static final HoldId HOLD = hold(1);

  @Test
  void aHoldIsCapturedInPartAndTheRestGoesBack() {
    var book =
        funded(100)
            .open(HOLD, ALICE, amount(60))
            .capture(HOLD, AccountId.FEES, amount(25))
            .release(HOLD);

    assertThat(book.available(ALICE)).isEqualTo(amount(75));
    assertThat(book.available(AccountId.FEES)).isEqualTo(amount(25));
    assertThat(book.audit().isConserved()).isTrue();
  }

  @Test
  void whatIsHeldCannotBeSpent() {
    var book = funded(100).open(HOLD, ALICE, amount(60));

    assertThat(book.canPay(ALICE, amount(41))).isFalse();
    assertThatThrownBy(() -> book.post(ALICE, BOB, amount(41)))
        .isInstanceOf(IllegalStateException.class);
  }

  /** What is settled is settled once (ACC-2). */
  @Test
  void aHoldCannotBeReleasedTwice() {
    var settled = funded(100).open(HOLD, ALICE, amount(60)).release(HOLD);

    assertThatThrownBy(() -> settled.release(HOLD)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> settled.capture(HOLD, BOB, amount(1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void moreIsAddedToAHoldAndAPartOfItMovedToAnotherOne() {
    var purse = new HoldId.Named(FamilyKind.PLAN_EXECUTION, "alice/1");
    var book = funded(100).add(purse, ALICE, amount(20)).add(purse, ALICE, amount(30));

    var shifted = book.shift(purse, HOLD, amount(40));

    assertThat(shifted.hold(purse)).get().extracting(Hold::amount).isEqualTo(amount(10));
    assertThat(shifted.hold(HOLD)).contains(new Hold(ALICE, 40));
    assertThat(shifted.available(ALICE)).isEqualTo(amount(50));
    assertThat(shifted.audit().isConserved()).isTrue();
    assertThat(shifted.release(HOLD).release(purse).available(ALICE)).isEqualTo(amount(100));
  }

  @Test
  void nobodyAddsToAnothersHold() {
    var purse = new HoldId.Named(FamilyKind.PLAN_EXECUTION, "alice/1");
    var book = funded(100).add(purse, ALICE, amount(20)).post(ALICE, BOB, amount(50));

    assertThatThrownBy(() -> book.add(purse, BOB, amount(1)))
        .isInstanceOf(IllegalStateException.class);
    var bobs = book.add(HOLD, BOB, amount(5));
    assertThatThrownBy(() -> bobs.shift(HOLD, purse, amount(1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void noMoreThanIsHeldCanBeCaptured() {
    var book = funded(100).open(HOLD, ALICE, amount(60));

    assertThatThrownBy(() -> book.capture(HOLD, BOB, amount(61)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theBookTakesNoMoreThanItCanCount() {
    var book = funded(Long.MAX_VALUE - 5);

    assertThat(book.canTake(amount(5))).isTrue();
    assertThat(book.canTake(amount(6))).isFalse();
  }

  @Test
  void aHoldIsEnlargedByNothingButItsOwnersMoney() {
    var book = funded(100).add(HOLD, ALICE, amount(60));

    assertThatThrownBy(() -> book.add(HOLD, ALICE, amount(41)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(book.add(HOLD, ALICE, amount(40)).hold(HOLD)).contains(new Hold(ALICE, 100));
    assertThatThrownBy(() -> book.open(HOLD, ALICE, amount(1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void allThatIsHeldCanBeCapturedAndTheHoldStaysOpen() {
    var book = funded(100).open(HOLD, ALICE, amount(60)).capture(HOLD, BOB, amount(60));

    assertThat(book.hold(HOLD)).contains(new Hold(ALICE, 0));
    assertThat(book.available(BOB)).isEqualTo(amount(60));
    assertThat(book.release(HOLD).available(ALICE)).isEqualTo(amount(40));
  }

  @Test
  void aCaptureOfNothingChangesNothing() {
    var book = funded(100).open(HOLD, ALICE, amount(60));

    assertThat(book.capture(HOLD, BOB, Amount.ZERO)).isEqualTo(book);
    assertThatThrownBy(() -> funded(100).capture(HOLD, BOB, Amount.ZERO))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aHoldIsClosedWithItsPaymentAndTheRestGoesBack() {
    var book = funded(100).open(HOLD, ALICE, amount(60));

    var closed = book.close(HOLD, BOB, amount(25));

    assertThat(closed.released()).isEqualTo(amount(35));
    assertThat(closed.book().available(BOB)).isEqualTo(amount(25));
    assertThat(closed.book().available(ALICE)).isEqualTo(amount(75));
    assertThat(closed.book().hold(HOLD)).isEmpty();
    assertThat(book.close(HOLD, BOB, amount(60)).released()).isEqualTo(Amount.ZERO);
    assertThatThrownBy(() -> book.close(HOLD, BOB, amount(61)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void oneMoneyIsNeverPaidForAnother() {
    var usd = new TokenId("USD");
    var book = funded(100).post(AccountId.OUTSIDE.in(usd), ALICE.in(usd), amount(50));

    assertThatThrownBy(() -> book.post(ALICE, BOB.in(usd), amount(1)))
        .isInstanceOf(IllegalStateException.class);
    assertThat(book.canPay(ALICE.in(usd), amount(51))).isFalse();
    assertThat(book.add(HOLD, ALICE.in(usd), amount(50)).available(AccountId.HELD.in(usd)))
        .isEqualTo(amount(50));
    assertThat(book.add(HOLD, ALICE.in(usd), amount(50)).audit().isConserved()).isTrue();
  }

  /** Of all monies together, since the audit adds them up. */
  @Test
  void theRoomOfTheBookIsThatOfAllMoniesTogether() {
    var usd = new TokenId("USD");
    var book = funded(Long.MAX_VALUE - 9).post(AccountId.OUTSIDE.in(usd), ALICE.in(usd), amount(4));

    assertThat(book.canTake(amount(5))).isTrue();
    assertThat(book.canTake(amount(6))).isFalse();
  }

  /** Each line breaks one thing that the audit is there for. */
  @Test
  void theAuditNoticesWhateverIsWrong() {
    var usd = new TokenId("USD");
    var book = funded(100).open(HOLD, ALICE, amount(60));
    assertThat(book.audit()).isEqualTo(new Audit(0, amount(60), amount(60), 0, 0));

    var appeared = new Book(book.balances().plus(BOB, 1L), book.holds());
    var overdrawn = new Book(book.balances().plus(ALICE, -10L).plus(BOB, 50L), book.holds());
    var heldTooMuch = new Book(book.balances(), book.holds().minus(HOLD));
    var exchanged = new Book(book.balances().plus(ALICE, 39L).plus(BOB.in(usd), 1L), book.holds());
    var heldOfAnother =
        new Book(book.balances(), book.holds().plus(HOLD, new Hold(ALICE.in(usd), 60)));

    assertThat(appeared.audit().sumOfAccounts()).isEqualTo(1);
    assertThat(overdrawn.audit().overdrawn()).isEqualTo(1);
    assertThat(heldTooMuch.audit().sumOfHolds()).isEqualTo(Amount.ZERO);
    assertThat(exchanged.audit().unbalanced()).isEqualTo(2);
    assertThat(heldOfAnother.audit().unbalanced()).isEqualTo(2);
    for (var wrong : List.of(appeared, overdrawn, heldTooMuch, exchanged, heldOfAnother)) {
      assertThat(wrong.audit().isConserved()).isFalse();
    }
  }

  @Property(tries = 300)
  void moneyIsConservedAtEveryInstant(@ForAll List<@IntRange(max = 9_999) Integer> script) {
    var book = funded(1_000);
    for (int code : script) {
      try {
        book = apply(book, code);
      } catch (IllegalStateException refused) {
        // A refused change changes nothing: the book is a value.
      }
      assertThat(book.audit().isConserved()).isTrue();
    }
  }

  private static Book apply(Book book, int code) {
    var amount = amount(code % 100);
    var id = hold(code / 100 % 5);
    return switch (code / 1_000) {
      case 0 -> book.post(AccountId.OUTSIDE, ALICE, amount);
      case 1 -> book.post(ALICE, AccountId.OUTSIDE, amount);
      case 2 -> book.post(ALICE, BOB, amount);
      case 3 -> book.post(BOB, ALICE, amount);
      case 4, 5 -> book.open(id, code % 2 == 0 ? ALICE : BOB, amount);
      case 6, 7 -> book.capture(id, BOB, amount);
      default -> book.release(id);
    };
  }

  private static Book funded(long units) {
    return Book.EMPTY.post(AccountId.OUTSIDE, ALICE, amount(units));
  }

  private static Amount amount(long units) {
    return new Amount(units);
  }

  private static HoldId hold(long number) {
    return new HoldId.OfSchedule(
        new ScheduleId(FamilyKind.GAS_PRIORITY, new Hash(0, 0, 0, number)), 1);
  }
}
