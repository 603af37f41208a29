package dev.sequitur.persistence.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.persistence.store.CellStore.Cell;
import dev.sequitur.persistence.store.CellStore.Change;
import dev.sequitur.protocol.id.Bytes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What each store of cells promises. */
abstract class CellStoreContractTest extends QueueStoreFixture<CellStore> {
  CellStoreContractTest(OwnStores own) {
    super(own, QueueStores::cells);
  }

  private static Map<Bytes, String> cells(CellStore store, String stream) {
    return get(
        store.load(
            stream,
            () ->
                new CellStore.Visitor<Map<Bytes, String>>() {
                  private final Map<Bytes, String> found = new LinkedHashMap<>();

                  @Override
                  public void visit(byte[] key, byte[] value) {
                    found.put(Bytes.of(key), Bytes.of(value).toUtf8());
                  }

                  @Override
                  public Map<Bytes, String> finish(long version) {
                    return found;
                  }
                }));
  }

  private static long version(CellStore store, String stream) {
    return get(
        store.load(
            stream,
            () ->
                new CellStore.Visitor<Long>() {
                  @Override
                  public void visit(byte[] key, byte[] value) {}

                  @Override
                  public Long finish(long version) {
                    return version;
                  }
                }));
  }

  private static Cell cell(int key, String value) {
    return new Cell(key(key), Bytes.utf8(value).toByteArray());
  }

  /** The empty key and such with high bits are among them. */
  private static byte[] key(int number) {
    return number == 0 ? new byte[0] : new byte[] {(byte) (number * 37), (byte) number};
  }

  private static Change change(long from, long to, List<Cell> cells, int... removed) {
    var keys = new ArrayList<byte[]>();
    for (int each : removed) {
      keys.add(key(each));
    }
    return new Change(from, to, cells, keys);
  }

  @Test
  void aStreamThatWasNeverWrittenIsEmpty() {
    assertThat(cells(store(), "queue|a")).isEmpty();
  }

  @Test
  void cellsAreReadInTheOrderOfTheirKeysAsTheLastChangeLeftThem() {
    var all = new ArrayList<Cell>();
    for (int i = 0; i < 100; i++) {
      all.add(cell(i, "first " + i));
    }
    assertThat(get(store().write("queue|a", change(0, 10, all)))).isTrue();
    assertThat(get(store().write("queue|a", change(10, 12, List.of(cell(5, "second")), 0, 7))))
        .isTrue();

    var found = cells(reopened(), "queue|a");

    assertThat(found).hasSize(98).containsEntry(Bytes.of(key(5)), "second");
    assertThat(new ArrayList<>(found.keySet())).isSorted();
    assertThat(found).doesNotContainKeys(Bytes.of(key(0)), Bytes.of(key(7)));
  }

  @Test
  void aChangeThatStartsFromAnotherVersionChangesNothing() {
    get(store().write("queue|a", change(0, 10, List.of(cell(1, "mine")))));

    assertThat(get(store().write("queue|a", change(0, 11, List.of(cell(1, "late")))))).isFalse();
    assertThat(get(store().write("queue|a", change(9, 11, List.of(cell(2, "late")), 1)))).isFalse();

    assertThat(cells(store(), "queue|a")).containsExactly(Map.entry(Bytes.of(key(1)), "mine"));
  }

  @Test
  void whoReadsTheCellsIsToldTheirVersion() {
    assertThat(version(store(), "queue|a")).isZero();
    get(store().write("queue|a", change(0, 10, List.of(cell(1, "first")))));
    get(store().write("queue|a", change(10, 12, List.of(cell(2, "second")))));

    assertThat(version(reopened(), "queue|a")).isEqualTo(12);
    assertThat(version(store(), "queue|ab")).isZero();
  }

  @Test
  void oneStreamIsNotMixedUpWithAnotherWhoseNameBeginsTheSame() {
    get(store().write("queue|a", change(0, 1, List.of(cell(1, "a")))));
    get(store().write("queue|ab", change(0, 1, List.of(cell(1, "ab")))));

    assertThat(cells(store(), "queue|a").values()).containsExactly("a");
    assertThat(cells(store(), "queue|ab").values()).containsExactly("ab");
  }

  @Test
  void manyCellsAreWrittenAndRemovedAtOnce() {
    var all = new ArrayList<Cell>();
    var keys = new ArrayList<byte[]>();
    for (int i = 0; i < 12_000; i++) {
      var key = Bytes.utf8("key " + i).toByteArray();
      all.add(new Cell(key, key));
      keys.add(key);
    }
    get(store().write("queue|a", new Change(0, 1, all, List.of())));
    assertThat(cells(store(), "queue|a")).hasSize(12_000);

    get(store().write("queue|a", new Change(1, 2, List.of(), keys)));

    assertThat(cells(store(), "queue|a")).isEmpty();
  }
}
