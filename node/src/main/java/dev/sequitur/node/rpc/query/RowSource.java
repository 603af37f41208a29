package dev.sequitur.node.rpc.query;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Rows in some order, page by page. Asked for one page at a time. */
@FunctionalInterface
public interface RowSource<R> {
  /** The next rows; empty once there are no more. */
  CompletionStage<List<R>> next();
}
