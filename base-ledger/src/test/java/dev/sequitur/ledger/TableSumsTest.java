package dev.sequitur.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.ledger.LedgerTable.Fulfilment;
import dev.sequitur.ledger.LedgerTable.Standing;
import dev.sequitur.ledger.LedgerTable.Within;
import dev.sequitur.protocol.group.CommitteeStanding;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.ledger.LedgerTransaction.Deploy;
import java.util.HashSet;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the digest of a ledger's tables depends on, one entry at a time. */
class TableSumsTest {
  private static final ContractAddress ONE = new ContractAddress("0x" + "1".repeat(40));
  private static final ContractAddress TWO = new ContractAddress("0x" + "2".repeat(40));

  @Test
  void eachEntryOfEachTableMakesAnotherDigest() {
    var digests =
        Stream.<Consumer<TableSums>>of(
                sums -> {},
                sums ->
                    sums.follow(LedgerTable.NONCES, TestNetwork.SALLY.address(), none(), of(1L)),
                sums ->
                    sums.follow(LedgerTable.NONCES, TestNetwork.SALLY.address(), none(), of(2L)),
                sums ->
                    sums.follow(LedgerTable.NONCES, TestNetwork.ALICE.address(), none(), of(1L)),
                sums -> state(sums, ONE, "x", Standing.UNSPENT),
                sums -> state(sums, ONE, "y", Standing.UNSPENT),
                sums -> state(sums, ONE, "x", Standing.SPENT),
                sums -> state(sums, TWO, "x", Standing.UNSPENT),
                sums ->
                    sums.follow(
                        LedgerTable.INTENTS,
                        new Within<>(ONE, Intent.on(ONE, "a").key()),
                        none(),
                        of(Fulfilment.DONE)),
                sums -> sums.follow(LedgerTable.COMMITTEES, ONE, none(), of(committees(2))),
                sums -> sums.follow(LedgerTable.COMMITTEES, TWO, none(), of(committees(2))),
                sums -> make(sums, TWO, 2))
            .map(TableSumsTest::digest)
            .toList();

    assertThat(new HashSet<>(digests)).hasSameSizeAs(digests);
  }

  @Test
  void howAContractWasMadeAndWhatItsCommitteesAreIsSeenInIts() {
    var made = new TableSums(TableSums.NOTHING);
    make(made, ONE, 1);
    var otherwise = new TableSums(TableSums.NOTHING);
    make(otherwise, ONE, 2);
    assertThat(made.digest()).isNotEqualTo(otherwise.digest());

    var before = made.digest();
    made.follow(LedgerTable.COMMITTEES, ONE, none(), of(committees(1)));
    var first = made.digest();
    made.follow(LedgerTable.COMMITTEES, ONE, of(committees(1)), of(committees(2)));

    assertThat(made.digest()).isNotEqualTo(first).isNotEqualTo(before);
  }

  /** Two contracts may have states of one id. */
  @Test
  void statesAreThoseOfTheirContract() {
    var one = new TableSums(TableSums.NOTHING);
    make(one, ONE, 1);
    make(one, TWO, 1);
    state(one, ONE, "x", Standing.UNSPENT);
    var two = new TableSums(TableSums.NOTHING);
    make(two, ONE, 1);
    make(two, TWO, 1);
    state(two, TWO, "x", Standing.UNSPENT);

    assertThat(one.digest()).isNotEqualTo(two.digest());
  }

  /** Beside a contract that was made, and another. */
  private static Hash digest(Consumer<TableSums> change) {
    var sums = new TableSums(TableSums.NOTHING);
    make(sums, ONE, 1);
    make(sums, TWO, 1);
    change.accept(sums);
    return sums.digest();
  }

  private static void make(TableSums sums, ContractAddress contract, int threshold) {
    var genesis = TestNetwork.genesis(threshold, TestNetwork.ALICE, TestNetwork.BOB);
    var deploy = new Deploy("token", genesis);
    sums.follow(LedgerTable.CONTRACTS, contract, none(), of(deploy));
  }

  private static void state(
      TableSums sums, ContractAddress contract, String name, Standing standing) {
    sums.follow(
        LedgerTable.STATES, new Within<>(contract, Intent.state(name)), none(), of(standing));
  }

  private static CommitteeStanding committees(int threshold) {
    return CommitteeStanding.of(
        TestNetwork.genesis(threshold, TestNetwork.ALICE, TestNetwork.BOB).quorum());
  }

  private static <T> Optional<T> none() {
    return Optional.empty();
  }

  private static <T> Optional<T> of(T value) {
    return Optional.of(value);
  }
}
