package dev.sequitur.persistence.store;

import static dev.sequitur.persistence.store.StoredKind.between;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.map.Key;
import dev.sequitur.persistence.map.KeySpace;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.port.ListenerStore.ListenerKind;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class StoredKindTest {
  private static final ContractAddress CONTRACT = new ContractAddress("0x" + "1".repeat(40));

  @Test
  void eventsAreTheirEntitys() {
    assertThat(between(Optional.of(event("submitter", 1)), Optional.of(event("submitter", 9))))
        .containsExactly(StoredKind.SUBMITTER);
    assertThat(between(Optional.of(event("sender", 1)), Optional.of(event("state-store", 9))))
        .containsExactly(StoredKind.SENDER, StoredKind.STATE_STORE);
  }

  @Test
  void whatLiesBetweenTwoRegionsIsAmongThem() {
    assertThat(between(Optional.of(Layout.intent(7)), Optional.of(Layout.receipt(3))))
        .containsExactly(StoredKind.TRANSACTIONS, StoredKind.RECEIPTS);
    assertThat(between(Optional.of(Layout.receipt(3)), Optional.of(Layout.states(CONTRACT))))
        .contains(StoredKind.RECEIPTS, StoredKind.GROUPS, StoredKind.CONTENTS)
        .doesNotContain(StoredKind.MESSAGES);
  }

  @Test
  void theNewestRegionsAreAmongThem() {
    var listener = Layout.listener(ListenerKind.MESSAGES, "l");
    assertThat(between(Optional.of(listener), Optional.of(Layout.OPEN.number(1))))
        .contains(StoredKind.RECEIPTS);
    var ledger = Key.in(KeySpace.BASE_LEDGER);
    assertThat(between(Optional.of(Layout.OPEN_PUBLICS.number(1)), Optional.of(ledger)))
        .contains(StoredKind.ABIS);
  }

  @ParameterizedTest
  @EnumSource(ListenerKind.class)
  void whoeverIsToldSomethingIsAmongTheListeners(ListenerKind kind) {
    assertThat(at(Layout.listener(kind, "l"))).containsExactly(StoredKind.LISTENERS);
  }

  @Test
  void whatIsKnownOfGroupsIsAmongThem() {
    assertThat(
            Stream.of(
                    Layout.GROUPS,
                    Layout.GROUP_AGES,
                    Layout.UNFINISHED_GROUPS,
                    Layout.KNOWN_GROUPS,
                    Layout.LOCAL_MEMBERS,
                    Layout.OPEN_CHANGES)
                .map(region -> at(region.number(1))))
        .allSatisfy(kinds -> assertThat(kinds).containsExactly(StoredKind.GROUPS));
  }

  @Test
  void eachRegionOfTheNodeStoreIsOfAKind() {
    for (int region = 1; region <= Layout.LAST_REGION; region++) {
      var kinds = at(Key.in(KeySpace.NODE_STORE).octet(region).number(1));
      if (!DirectoryLayoutTest.NOT_IN_USE.contains(region)) {
        assertThat(kinds).as("region %d in StoredKind.ofRegion", region).hasSize(1);
      }
    }
  }

  private static Set<StoredKind> at(Key key) {
    return between(Optional.of(key), Optional.of(key));
  }

  @Test
  void ofAKeyThatIsCutShortNothingIsMadeUp() {
    assertThat(between(Optional.empty(), Optional.of(Key.in(KeySpace.EVENT)))).isEmpty();
    assertThat(between(Optional.empty(), Optional.empty())).isEmpty();
  }

  /** As a directory has them all in one map. */
  @Test
  void theTableOfADatabaseHasEventsAndAllElse() {
    assertThat(StoredKind.ofTable("entry"))
        .contains(StoredKind.JOURNAL, StoredKind.TRANSACTIONS, StoredKind.CHECKPOINTS)
        .doesNotContain(StoredKind.LEDGER);
    assertThat(StoredKind.ofTable("lease")).isEmpty();
  }

  private static Key event(String kind, long number) {
    return Key.in(KeySpace.EVENT).text(kind + "|" + CONTRACT).number(number);
  }
}
