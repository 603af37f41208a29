package dev.sequitur.node.rpc.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sequitur.json.JsonText;
import dev.sequitur.node.rpc.method.ListenerFeed;
import dev.sequitur.node.rpc.method.ListenerFeed.Page;
import dev.sequitur.node.rpc.method.ListenerFeed.Row;
import dev.sequitur.protocol.port.HeldBack;
import dev.sequitur.schedule.queue.Happenings;
import dev.sequitur.schedule.queue.History.Booked;
import dev.sequitur.schedule.queue.History.Happened;
import dev.sequitur.schedule.queue.History.Recorded;
import dev.sequitur.schedule.queue.History.Told;
import dev.sequitur.schedule.queue.QueueEffect.Notice;
import dev.sequitur.schedule.queue.QueueSetup;
import dev.sequitur.scheduler.OutcomeQuery;
import dev.sequitur.scheduler.SchedulerNode;
import java.util.ArrayList;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What has happened in a queue, row by row (SCH-22). The number of a row is where a listener stands
 * that has taken it: the number of the event after it.
 *
 * @param sight which may be told to whoever listens, as it is when a page is read
 */
record HappenedFeed(
    SchedulerNode scheduler, EventFilters filters, Supplier<Predicate<Happened>> sight)
    implements ListenerFeed.Rows {

  @Override
  public CompletionStage<Page> after(long after, HeldBack none, int most) {
    return scheduler
        .happenings(filters.queue(), after, Math.min(most, OutcomeQuery.MOST))
        .thenApply(page -> page(after, page, most));
  }

  private Page page(long after, Happenings page, int most) {
    var rows = new ArrayList<Row>();
    long readTo = Math.max(after, page.next());
    var all = page.happenings();
    var seen = sight.get();
    if (page.forgotten()) {
      long first = all.isEmpty() ? page.next() : all.getFirst().number();
      if (first > after) {
        rows.add(new Row(first, forgotten(first)));
      }
    }
    for (var each : all) {
      if (rows.size() == most) {
        readTo = each.number();
        break;
      }
      if (filters.wants(each.happened()) && seen.test(each.happened())) {
        rows.add(new Row(each.number() + 1, written(each, scheduler.setup())));
      }
    }
    return new Page(rows, readTo);
  }

  /** Whoever was away for too long is told so, and never just told less. */
  private static JsonNode forgotten(long first) {
    return JsonText.object().put("type", "forgotten").put("upTo", first - 1);
  }

  /** As callers read it. */
  static JsonNode written(Happenings.Numbered each, QueueSetup setup) {
    var shape = new NoticeShape(setup);
    var json = JsonText.object().put("number", each.number());
    switch (each.happened()) {
      case Recorded recorded -> json.setAll((ObjectNode) shape.write(new Notice.Ended(recorded)));
      case Told told -> {
        json.setAll((ObjectNode) Words.time("at").write(told.at()));
        json.setAll((ObjectNode) shape.write(told.notice()));
      }
      case Booked booked -> throw new IllegalStateException("No event: " + booked);
    }
    return json;
  }
}
