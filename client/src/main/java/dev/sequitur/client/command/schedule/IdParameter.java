package dev.sequitur.client.command.schedule;

import dev.sequitur.client.CallFailure;
import dev.sequitur.console.WrongOption;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import dev.sequitur.schedule.signing.EntityId;
import java.util.Optional;
import picocli.CommandLine.Parameters;

/** Which schedule. */
final class IdParameter {
  private static final String MULTI_SIGNATURE = "multi-signature:";

  @Parameters(
      index = "0",
      paramLabel = "ID",
      description = "The schedule's id, as its creation and 'schedule list' print it.")
  private String id;

  String id() {
    return id;
  }

  /** There is nothing to show of it. */
  CallFailure unknown(NodeOptions node) {
    return new CallFailure(
        "The queue "
            + node.queue()
            + " has no schedule "
            + id
            + ", or its outcome is no longer kept: 'sequitur schedule list' shows what waits.");
  }

  /**
   * The number of a multi-signature schedule, however its id is written; empty of another family's.
   *
   * @throws WrongOption if it begins as such an id and is none
   */
  Optional<String> entity() {
    if (id.startsWith("0.0.")) {
      return Optional.of(id);
    } else if (!id.startsWith(MULTI_SIGNATURE)) {
      return Optional.empty();
    }
    var rest = id.substring(MULTI_SIGNATURE.length());
    if (rest.startsWith("0.0.")) {
      return Optional.of(rest);
    }
    try {
      var hash = Hash.hex(rest);
      var schedule = new ScheduleId(FamilyKind.MULTI_SIGNATURE, hash);
      return Optional.of(EntityId.of(schedule).toString());
    } catch (IllegalArgumentException e) {
      throw new WrongOption("'" + id + "' is no id: write it as 'schedule list' prints it.");
    }
  }
}
