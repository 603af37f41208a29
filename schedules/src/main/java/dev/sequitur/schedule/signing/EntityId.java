package dev.sequitur.schedule.signing;

import dev.sequitur.protocol.id.Hash;
import dev.sequitur.schedule.AccountId;
import dev.sequitur.schedule.FamilyKind;
import dev.sequitur.schedule.ScheduleId;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The number of an account or a schedule, written 0.0.number; shard and realm are always 0, and a
 * number is used once in its queue.
 */
public record EntityId(long number) implements Comparable<EntityId> {
  /** Lower ones are Hedera's own. */
  public static final EntityId FIRST = new EntityId(1001);

  /** That of the account which has all money at the beginning: nobody changes it but itself. */
  public static final EntityId TREASURY = new EntityId(2);

  /** That to which records show fees going; no account of a queue. */
  public static final EntityId FEES = new EntityId(98);

  private static final Pattern SPELLING = Pattern.compile("0\\.0\\.([0-9]{1,18})");
  private static final Pattern ANY_SPELLING = Pattern.compile("[0-9]+\\.[0-9]+\\.[0-9]+");

  public EntityId {
    if (number < 0) {
      throw new IllegalArgumentException("The number of an account is not negative: " + number);
    }
  }

  /**
   * @throws IllegalArgumentException if it is not 0.0 and a number
   */
  public static EntityId parse(String text) {
    return find(text)
        .orElseThrow(
            () -> new IllegalArgumentException("Write 0.0. and a number, not '" + text + "'."));
  }

  private static Optional<EntityId> find(String text) {
    var matcher = SPELLING.matcher(text);
    return matcher.matches()
        ? Optional.of(new EntityId(Long.parseLong(matcher.group(1))))
        : Optional.empty();
  }

  /** The number of a schedule of the multi-signature family. */
  public static EntityId of(ScheduleId id) {
    return new EntityId(id.value().word3());
  }

  /** The number that an account's name is; empty if it is another's name. */
  public static Optional<EntityId> of(AccountId account) {
    return account.value().startsWith("0.0.") ? find(account.value()) : Optional.empty();
  }

  /**
   * Whether the name is written as an entity's id (shard.realm.number): then it is that entity's,
   * or would be taken for it, also where no account has it.
   */
  public static boolean isWrittenLike(AccountId account) {
    char first = account.value().charAt(0);
    return first >= '0' && first <= '9' && ANY_SPELLING.matcher(account.value()).matches();
  }

  public ScheduleId schedule() {
    return new ScheduleId(FamilyKind.MULTI_SIGNATURE, new Hash(0, 0, 0, number));
  }

  public AccountId account() {
    return new AccountId(toString());
  }

  public EntityId next() {
    return new EntityId(number + 1);
  }

  @Override
  public int compareTo(EntityId other) {
    return Long.compare(number, other.number);
  }

  @Override
  public String toString() {
    return "0.0." + number;
  }
}
