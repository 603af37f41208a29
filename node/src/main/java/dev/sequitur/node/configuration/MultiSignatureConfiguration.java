package dev.sequitur.node.configuration;

import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.OperationFees;
import dev.sequitur.schedule.signing.Profile;

/** Reads what an operator may set of the multi-signature family. */
final class MultiSignatureConfiguration {
  private static final String AT = "scheduler.multi-signature.";
  private static final int MANY = 10_000_000;
  private static final long MOST_FEE = 1_000_000_000_000_000L;

  private MultiSignatureConfiguration() {}

  /** Whether a body may run again in the same queue. */
  private enum SameBodyAgain {
    /** As the profile has it. */
    PROFILE,
    NEVER,
    ALLOWED
  }

  static MultiSignatureSettings read(ConfigurationReader reader) {
    var profile = reader.oneOf(AT + "profile", Profile.class);
    var defaults =
        profile == Profile.MVP ? MultiSignatureSettings.MVP : MultiSignatureSettings.CURRENT;
    return reader.built(
        "scheduler.multi-signature",
        () ->
            new MultiSignatureSettings(
                profile,
                new MultiSignatureSettings.Expiry(
                    reader.duration(AT + "expiry-time").toSeconds(),
                    reader.duration(AT + "longest-expiry-time").toSeconds(),
                    reader.integer(AT + "expiring-per-second", 1, MANY),
                    reader.integer(AT + "limits.overdue-per-step", 1, MANY)),
                new MultiSignatureSettings.Throttles(
                    reader.wholeNumber(AT + "creates-per-second", 1, MANY),
                    reader.wholeNumber(AT + "signs-per-second", 1, MANY),
                    reader.wholeNumber(AT + "deletes-per-second", 1, MANY),
                    reader.wholeNumber(AT + "infos-per-second", 1, MANY)),
                limits(reader),
                executesOnce(reader, defaults),
                fees(reader)),
        defaults);
  }

  private static MultiSignatureSettings.Limits limits(ConfigurationReader reader) {
    var at = AT + "limits.";
    return new MultiSignatureSettings.Limits(
        reader.integer(at + "transaction-bytes", 1, 1_000_000),
        reader.integer(at + "transfers", 2, 1_000),
        reader.integer(at + "signatures", 1, 1_000),
        reader.integer(at + "twins", 1, 10_000),
        reader.duration(at + "valid-time").toSeconds(),
        reader.integer(at + "records", 2, MANY),
        reader.integer(at + "unarchived", 1, MANY));
  }

  private static boolean executesOnce(ConfigurationReader reader, MultiSignatureSettings defaults) {
    var again = reader.oneOf(AT + "same-body-again", SameBodyAgain.class);
    return again == SameBodyAgain.PROFILE
        ? defaults.bodiesExecuteOnce()
        : again == SameBodyAgain.NEVER;
  }

  private static OperationFees fees(ConfigurationReader reader) {
    return new OperationFees(
        fee(reader, "create"),
        fee(reader, "sign"),
        fee(reader, "delete"),
        fee(reader, "per-signature"),
        fee(reader, "crypto-transfer"),
        fee(reader, "crypto-create"),
        fee(reader, "crypto-update"),
        fee(reader, "private-transaction"),
        fee(reader, "query"));
  }

  private static Amount fee(ConfigurationReader reader, String operation) {
    return new Amount(reader.wholeNumber(AT + "fees." + operation, 0, MOST_FEE));
  }
}
