package dev.sequitur.protocol.schedule.book;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.schedule.AccountId;
import dev.sequitur.protocol.schedule.Amount;
import dev.sequitur.protocol.schedule.FamilyKind;
import dev.sequitur.protocol.schedule.ScheduleId;
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
