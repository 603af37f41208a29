package dev.sequitur.protocol.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.checkpoint.Agreements.Answer;
import dev.sequitur.protocol.checkpoint.Agreements.Standing;
import dev.sequitur.protocol.checkpoint.Agreements.Word;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who lets a ledger drop blocks, and who holds it back (ROM-9, ROM-10). */
class AgreementsTest {
  private static final LedgerAddress ONE = address(1);
  private static final LedgerAddress TWO = address(2);
  private static final LedgerAddress STRANGER = address(3);
  private static final Agreements SILENT = new Agreements(Map.of("one", ONE, "two", TWO), Map.of());

  /**
   * Reader one, whose last word was about block 20. The last column but one is what the ledger has
   * at the height of the word: the same, another digest, another block, or nothing.
   */
  @ParameterizedTest
  @CsvSource({
    "one,      true,  30, same,    AGREED",
    "one,      true,  30, digest,  DIFFERS",
    "one,      true,  30, carrier, DIFFERS",
    "one,      true,  30, nothing, NO_CHECKPOINT",
    "one,      true,  20, same,    KNOWN",
    "one,      true,  20, nothing, KNOWN",
    "one,      true,  10, same,    KNOWN",
    "one,      true,  10, digest,  KNOWN",
    "one,      false, 30, same,    NOT_SIGNED",
    "one,      false, 30, digest,  NOT_SIGNED",
    "one,      false, 30, nothing, NOT_SIGNED",
    "one,      false, 20, same,    NOT_SIGNED",
    "one,      false, 10, same,    NOT_SIGNED",
    "one,      true,  20, digest,  KNOWN",
    "two,      false, 30, same,    NOT_SIGNED",
    "two,      true,  30, nothing, NO_CHECKPOINT",
    "two,      true,  10, same,    AGREED",
    "two,      true,  10, digest,  DIFFERS",
    "stranger, true,  30, same,    NO_READER",
    "stranger, true,  30, digest,  NO_READER",
    "stranger, false, 30, same,    NO_READER",
  })
  void whatComesOfAWord(String reader, boolean signed, long height, String own, Answer answer) {
    var said = SILENT.with(ONE, new Word(at(20), true));

    assertThat(said.judge(at(height), named(reader), signed, own(own, height))).isEqualTo(answer);
  }

  /** Whoever was wrong and has read anew says something else of the same checkpoint. */
  @Test
  void whoDifferedMayAgreeToTheSameCheckpoint() {
    var said = SILENT.with(ONE, new Word(new Checkpoint(at(20).height(), hash(9), hash(9)), false));

    assertThat(said.judge(at(20), ONE, true, Optional.of(at(20)))).isEqualTo(Answer.AGREED);
  }

  /** A word is a height, with a minus before it if the ledger has something else there. */
  @ParameterizedTest
  @CsvSource({
    "30,  30,  30",
    "30,  20,  20",
    "20,  30,  20",
    "30,  ,    ",
    ",    30,  ",
    ",    ,    ",
    "30,  -30, ",
    "-30, -30, ",
    "-10, 30,  ",
  })
  void allAgreeUpToTheLowestThatEachAgreesTo(Long one, Long two, Long agreed) {
    var said = with(with(SILENT, ONE, one), TWO, two);

    assertThat(said.agreed()).isEqualTo(Optional.ofNullable(agreed).map(BlockHeight::new));
  }

  @Test
  void withoutAReaderNobodyAgrees() {
    assertThat(new Agreements(Map.of(), Map.of(ONE, new Word(at(20), true))).agreed()).isEmpty();
  }

  /** An operator who takes a reader off the list says that it no longer counts. */
  @Test
  void whoIsListedNoMoreHoldsNothingBack() {
    var said = SILENT.with(ONE, new Word(at(20), true)).with(TWO, new Word(at(10), false));

    assertThat(new Agreements(Map.of("one", ONE), said.said()).agreed())
        .contains(new BlockHeight(20));
  }

  @ParameterizedTest
  @CsvSource({
    "30,  30, AGREES",
    "30,  ,   AGREES",
    "20,  30, BEHIND",
    "-30, 30, DIFFERS",
    "-20, 30, DIFFERS",
    ",    30, SILENT",
    ",    ,   SILENT",
  })
  void howAReaderStands(Long said, Long newest, Standing standing) {
    var all = with(SILENT, ONE, said);

    var readers = all.standing(Optional.ofNullable(newest).map(BlockHeight::new));

    assertThat(readers).extracting(Agreements.Reader::name).containsExactly("one", "two");
    assertThat(readers.getFirst().standing()).isEqualTo(standing);
    assertThat(readers.getFirst().upTo())
        .isEqualTo(Optional.ofNullable(said).map(it -> new BlockHeight(Math.abs(it))));
    assertThat(readers.getLast().standing()).isEqualTo(Standing.SILENT);
  }

  @Test
  void whoLacksIsToldByNameAndWithTheReason() {
    var all =
        new Agreements(
            Map.of("a", address(1), "b", address(2), "c", address(3), "d", address(4)),
            Map.of(
                address(1), new Word(at(30), true),
                address(2), new Word(at(20), true),
                address(3), new Word(at(30), false)));
    var newest = Optional.of(new BlockHeight(30));

    assertThat(standing(all, newest).lacking())
        .contains("b agrees up to block 20, c has another digest at block 30, d has said nothing");
    assertThat(standing(new Agreements(Map.of("a", address(1)), all.said()), newest).lacking())
        .isEmpty();
  }

  /** What was agreed to is dropped, but for the newest blocks that the operator keeps. */
  @ParameterizedTest
  @CsvSource({
    "100, 60, 10,  60",
    "100, 60, 0,   60",
    "100, 60, 70,  30",
    "100, 60, 99,  1",
    "100, 60, 100, ",
    "100, 60, 500, ",
    "100, ,   10,  ",
    "100, 60, ,    ",
  })
  void upToWhichBlockAllGo(long head, Long agreed, Long keep, Long upTo) {
    assertThat(
            CheckpointStanding.dropUpTo(
                new BlockHeight(head),
                Optional.ofNullable(agreed).map(BlockHeight::new),
                Optional.ofNullable(keep)))
        .isEqualTo(Optional.ofNullable(upTo).map(BlockHeight::new));
  }

  /** Of another chain, height, block or digest it is another one. */
  @Test
  void whatIsSignedNamesAll() {
    assertThat(
            Stream.of(
                at(20).message(1),
                at(20).message(2),
                at(30).message(1),
                new Checkpoint(at(20).height(), hash(9), at(20).digest()).message(1),
                new Checkpoint(at(20).height(), at(20).carrier(), hash(9)).message(1)))
        .doesNotHaveDuplicates();
  }

  private static CheckpointStanding standing(Agreements all, Optional<BlockHeight> newest) {
    return new CheckpointStanding(
        10, new BlockHeight(1), newest, all.agreed(), Optional.empty(), 0, all.standing(newest));
  }

  private static Agreements with(Agreements all, LedgerAddress reader, Long word) {
    return word == null ? all : all.with(reader, new Word(at(Math.abs(word)), word > 0));
  }

  private static Optional<Checkpoint> own(String what, long height) {
    var same = at(height);
    return switch (what) {
      case "same" -> Optional.of(same);
      case "digest" -> Optional.of(new Checkpoint(same.height(), same.carrier(), hash(9)));
      case "carrier" -> Optional.of(new Checkpoint(same.height(), hash(9), same.digest()));
      default -> Optional.empty();
    };
  }

  private static LedgerAddress named(String reader) {
    return switch (reader) {
      case "one" -> ONE;
      case "two" -> TWO;
      default -> STRANGER;
    };
  }

  private static Checkpoint at(long height) {
    return new Checkpoint(new BlockHeight(height), hash(height + 1), hash(height + 1_000));
  }

  private static Hash hash(long number) {
    return new Hash(number, number, number, number);
  }

  private static LedgerAddress address(int number) {
    return new LedgerAddress("0x" + "%040x".formatted(number));
  }
}
