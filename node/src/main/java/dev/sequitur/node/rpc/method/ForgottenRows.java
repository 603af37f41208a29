package dev.sequitur.node.rpc.method;

import dev.sequitur.protocol.port.RoomStore;
import dev.sequitur.protocol.port.RoomStore.Bound;
import dev.sequitur.protocol.room.Room.Kept;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** Tells whoever lists what is kept that there was more, where its list comes to that. */
record ForgottenRows(RoomStore store) {
  /**
   * The rows, as they are.
   *
   * @param most a list that has so many goes on in what is kept
   * @param begins whether the range that is asked for begins before what is forgotten ends
   */
  <T> CompletionStage<List<T>> orTell(Call call, List<T> rows, int most, Predicate<Bound> begins) {
    return rows.size() >= most
        ? CompletableFuture.completedFuture(rows)
        : store
            .forgottenUpTo(Kept.CONTENTS)
            .thenApply(
                bound -> {
                  bound.filter(begins).ifPresent(call::reaches);
                  return rows;
                });
  }
}
