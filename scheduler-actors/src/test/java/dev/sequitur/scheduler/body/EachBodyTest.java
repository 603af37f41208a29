package dev.sequitur.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.signing.AccountTransactionId;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.NodeAccount;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.ResponseCode;
import dev.sequitur.scheduler.body.SubmittedTransaction.Operation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/hedera.md says of each body that Hedera has what comes of it, and it comes of it. */
class EachBodyTest {
  private static final Path PAGE = Path.of("..", "docs", "hedera.md");
  private static final Pattern ROW = Pattern.compile("\\| ([0-9, ]+) \\| .* \\| (.*) \\|");
  private static final NodeAccount FRONT = new NodeAccount(0, 3);
  private static final int SCHEDULE_CREATE = 42;

  /** Of a TransactionBody: the number of its first operation, and what comes behind the last. */
  private static final int FIRST = 7;

  private static final int BEHIND = 63;

  /** What the last column of the tables of a section says of each number. */
  private static Map<Integer, String> rows(String section) throws IOException {
    var page = Files.readString(PAGE);
    int begin = page.indexOf("\n## " + section + "\n");
    assertThat(begin).as(section).isPositive();
    int end = page.indexOf("\n## ", begin + 1);
    var found = new TreeMap<Integer, String>();
    for (var line : page.substring(begin, end).split("\n")) {
      var row = ROW.matcher(line);
      if (row.matches()) {
        Stream.of(row.group(1).split(", "))
            .map(Integer::valueOf)
            .forEach(
                number ->
                    assertThat(found.put(number, row.group(2))).as("twice: " + number).isNull());
      }
    }
    return found;
  }

  private static SubmittedTransaction read(int field, Bytes operation)
      throws RefusedTransactionException {
    var alice = new EntityId(1001);
    var id = AccountTransactionId.submitted(new ConsensusTime(1_600_000_000L), alice);
    var body =
        new MessageBytes()
            .message(1, CommonMessages.write(id))
            .message(2, CommonMessages.write(FRONT))
            .number(3, 100)
            .message(4, new MessageBytes().number(1, 120))
            .message(field, operation)
            .finish();
    return TransactionReader.of(Profile.CURRENT, FRONT)
        .read(TransactionWriter.signed(body, List.of()));
  }

  /** Whether it is one that is never scheduled; an empty one that could be may lack something. */
  private static boolean isUnschedulable(int field) {
    var scheduled = new MessageBytes().message(field, new MessageBytes());
    try {
      var read = read(SCHEDULE_CREATE, new MessageBytes().message(1, scheduled).finish());
      return ((Operation.ScheduleCreate) read.operation()).creation().transaction().action()
          instanceof Action.Unschedulable;
    } catch (RefusedTransactionException e) {
      assertThat(e.code()).as("field " + field).isEqualTo(ResponseCode.INVALID_TRANSACTION_BODY);
      return false;
    }
  }

  @Test
  void whatCanBeScheduledIsSaidOfEachBody() throws IOException {
    var rows = rows("What can be scheduled");
    var published =
        PublicMessages.of(Profile.CURRENT).fields("Schedulable").stream()
            .filter(field -> field.getContainingOneof() != null)
            .map(field -> field.getNumber())
            .toList();

    assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(published);
    rows.forEach(
        (field, said) ->
            assertThat(isUnschedulable(field))
                .as("field " + field)
                .isEqualTo(said.contains("`SCHEDULED_TRANSACTION_NOT_IN_WHITELIST`"))
                .isNotEqualTo(said.startsWith("scheduled")));
  }

  private static boolean isSupported(int field) {
    try {
      read(field, Bytes.EMPTY);
      return true;
    } catch (RefusedTransactionException e) {
      return e.code() != ResponseCode.NOT_SUPPORTED;
    }
  }

  @Test
  void whatIsDoneIsSaidOfEachTransaction() throws IOException {
    var rows = rows("Call by call");
    // There is no 30.
    var published = IntStream.range(FIRST, BEHIND).boxed().filter(number -> number != 30).toList();

    assertThat(rows.keySet()).containsExactlyInAnyOrderElementsOf(published);
    rows.forEach(
        (field, said) ->
            assertThat(isSupported(field))
                .as("field " + field)
                .isEqualTo(said.equals("done"))
                .isNotEqualTo(said.equals("`NOT_SUPPORTED`")));
  }
}
