package dev.sequitur.node.configuration;

import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.exchange.Backoff;
import dev.sequitur.protocol.funding.FundingSettings;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.ledger.Fees;
import dev.sequitur.protocol.room.RoomPolicy;
import dev.sequitur.protocol.selection.SelectionPolicy;
import dev.sequitur.protocol.settings.SequencerSettings;
import dev.sequitur.protocol.settings.SequencerSettings.DeliverySettings;
import dev.sequitur.protocol.settings.SequencerSettings.ErasureSettings;
import dev.sequitur.protocol.settings.SequencerSettings.HeartbeatSettings;
import dev.sequitur.protocol.settings.SequencerSettings.LimitSettings;
import dev.sequitur.protocol.settings.SequencerSettings.RetrySettings;
import dev.sequitur.protocol.submitter.SubmitterSetup;
import dev.sequitur.sequencer.setup.NodeSetup;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads what a node goes by into the records that it is given. */
final class RulesSections {
  private static final int MANY = 10_000_000;
  private static final long MOST_GAS = 1_000_000_000_000L;
  private static final long TRANSACTION_GAS_CAP = 16_777_216;
  private static final String GAS = "ledger.gas.";
  private static final String SELECTION = "sequencer.selection.";
  private static final String HEARTBEATS = "sequencer.heartbeats.";
  private static final String DELIVERY = "sequencer.delivery.";
  private static final String RETRIES = "sequencer.retries.";
  private static final String LIMITS = "sequencer.limits.";

  /** What a ledger takes in one request, with room to spare. */
  private static final int MOST_BATCH_BYTES = 4 << 20;

  private static final String INITIAL = "initial-fee";
  private static final String INITIAL_PRIORITY = "initial-priority-fee";
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,15}");

  /** Callers and listeners need time to read what came of a transaction. */
  private static final Duration SHORTEST_KEPT = Duration.ofHours(1);

  /** In place of names. */
  private static final String EVERYBODY = "*";

  /** In place of a number. */
  private static final String FOLLOWS = "chain";

  private RulesSections() {}

  static NodeSetup.Rules read(ConfigurationReader reader) {
    return new NodeSetup.Rules(
        selection(reader),
        EmbeddedLedgerSection.chainId(reader),
        new SequencerSettings(
            heartbeats(reader),
            delivery(reader),
            retries(reader),
            limits(reader),
            erasures(reader),
            reader.wholeNumberOrForever("room.unmade", SequencerSettings.LEAST_UNMADE_BLOCKS)),
        gas(reader),
        funding(reader),
        reader.integer("ledger.confirmations", 0, 10_000),
        reader.duration("ledger.poll-interval"),
        reader.duration("actors.tick"),
        reader.duration("actors.idle-after"),
        room(reader));
  }

  private static RoomPolicy room(ConfigurationReader reader) {
    return reader.built(
        "room",
        () ->
            new RoomPolicy(
                reader.durationOrForever("room.keep", SHORTEST_KEPT),
                reader.duration("room.ids"),
                reader.durationOrForever("room.unread", SHORTEST_KEPT)),
        RoomPolicy.FOREVER);
  }

  private static ErasureSettings erasures(ConfigurationReader reader) {
    var names = reader.texts("room.erase-for");
    if (names.equals(List.of(EVERYBODY))) {
      return new ErasureSettings(true, Set.of());
    }
    return reader.built(
        "room.erase-for",
        () ->
            new ErasureSettings(
                false, names.stream().map(NodeName::new).collect(Collectors.toSet())),
        ErasureSettings.NOBODYS);
  }

  private static SubmitterSetup.Gas gas(ConfigurationReader reader) {
    var fee = reader.text(GAS + INITIAL);
    var initial = initial(reader, fee);
    var ceiling = fees(reader, "max-fee", "max-priority-fee");
    if (!ceiling.cover(initial)) {
      reader.mistake(
          "ledger.gas.max-fee and ledger.gas.max-priority-fee are at least ledger.gas.initial-fee"
              + " and ledger.gas.initial-priority-fee: raise them.");
    }
    int limitPercent = reader.integer(GAS + "limit-percent", 100, 1_000);
    if (reader.wholeNumber(LIMITS + "ledger-batch.gas", 1, MOST_GAS) * limitPercent / 100
        > TRANSACTION_GAS_CAP) {
      reader.mistake(
          "A chain takes no transaction of more than %d gas (EIP-7825), and sequencer.limits.ledger-batch.gas with ledger.gas.limit-percent comes to more: lower one of them."
              .formatted(TRANSACTION_GAS_CAP));
    }
    return new SubmitterSetup.Gas(
        initial,
        fee.equals(FOLLOWS),
        ceiling,
        reader.integer(GAS + "increase-percent", 10, 1_000),
        limitPercent,
        reader.duration(GAS + "overdue-after"));
  }

  private static FundingSettings funding(ConfigurationReader reader) {
    var section = GAS + "funding";
    return reader.built(
        section,
        () ->
            new FundingSettings(
                reader.flag(section + ".enabled"),
                reader.amount(section + ".low"),
                reader.amount(section + ".full"),
                reader.amount(section + ".alarm-below"),
                reader.duration(section + ".look-every")),
        FundingSettings.BY_HAND);
  }

  private static Fees fees(ConfigurationReader reader, String max, String priority) {
    return checked(
        reader,
        new Fees(
            reader.wholeNumber(GAS + max, 0, MOST_GAS),
            reader.wholeNumber(GAS + priority, 0, MOST_GAS)),
        GAS + max,
        GAS + priority);
  }

  private static Fees checked(ConfigurationReader reader, Fees fees, String max, String priority) {
    if (fees.priority() > fees.max()) {
      reader.mistake(priority + " is not above " + max + ": lower it.");
    }
    return fees;
  }

  /** Of what follows the chain only the priority counts. */
  private static Fees initial(ConfigurationReader reader, String fee) {
    long priority = reader.wholeNumber(GAS + INITIAL_PRIORITY, 0, MOST_GAS);
    if (fee.equals(FOLLOWS)) {
      return Fees.flat(priority);
    } else if (!DIGITS.matcher(fee).matches() || Long.parseLong(fee) > MOST_GAS) {
      reader.mistake(
          "%s is %s, or a whole number from 0 to %d, not '%s'."
              .formatted(GAS + INITIAL, FOLLOWS, MOST_GAS, fee));
      return Fees.flat(priority);
    }
    return checked(
        reader, new Fees(Long.parseLong(fee), priority), GAS + INITIAL, GAS + INITIAL_PRIORITY);
  }

  private static SelectionPolicy selection(ConfigurationReader reader) {
    return new SelectionPolicy(
        reader.wholeNumber(SELECTION + "range-size", 1, 1_000_000_000),
        reader.integer(SELECTION + "virtual-nodes", 1, 10_000));
  }

  private static HeartbeatSettings heartbeats(ConfigurationReader reader) {
    return reader.built(
        "sequencer.heartbeats",
        () ->
            new HeartbeatSettings(
                reader.duration(HEARTBEATS + "coordinator-interval"),
                reader.duration(HEARTBEATS + "coordinator-failure-threshold"),
                reader.duration(HEARTBEATS + "submitter-interval"),
                reader.duration(HEARTBEATS + "submitter-failure-threshold"),
                reader.duration(HEARTBEATS + "max-hold-off"),
                reader.duration(HEARTBEATS + "presumed-unavailable"),
                reader.duration(HEARTBEATS + "startup-again")),
        HeartbeatSettings.DEFAULT);
  }

  private static DeliverySettings delivery(ConfigurationReader reader) {
    var defaults = DeliverySettings.DEFAULT;
    return new DeliverySettings(
        backoff(reader, DELIVERY + "resend", defaults.resend()),
        backoff(reader, DELIVERY + "resend-notification", defaults.resendNotification()),
        reader.integer(DELIVERY + "notification-sends", 1, MANY),
        reader.duration(DELIVERY + "delegation-timeout"),
        reader.duration(DELIVERY + "assemble-timeout"),
        reader.duration(DELIVERY + "endorsement-timeout"),
        reader.duration(DELIVERY + "confirmation-timeout"));
  }

  private static RetrySettings retries(ConfigurationReader reader) {
    var defaults = RetrySettings.DEFAULT;
    return new RetrySettings(
        backoff(reader, RETRIES + "redelegation", defaults.redelegation()),
        backoff(reader, RETRIES + "attempt", defaults.attempt()),
        reader.integer(RETRIES + "max-attempts", 1, MANY),
        reader.duration(RETRIES + "parked-for"),
        backoff(reader, RETRIES + "refusal", defaults.refusal()),
        reader.integer(RETRIES + "max-refusals", 1, MANY));
  }

  private static LimitSettings limits(ConfigurationReader reader) {
    return new LimitSettings(
        reader.integer(LIMITS + "coordinated", 1, MANY),
        reader.integer(LIMITS + "delegated", 1, MANY),
        reader.integer(LIMITS + "delegation-batch", 1, MANY),
        reader.integer(LIMITS + "assemble-batch", 1, MerkleTree.MOST_LEAVES),
        reader.integer(LIMITS + "attestation-batch", 1, MerkleTree.MOST_LEAVES),
        reader.integer(LIMITS + "attestation-batch-bytes", 1, MANY),
        reader.integer(LIMITS + "attestation-batches", 1, MANY),
        reader.integer(LIMITS + "lock-retention-blocks", 0, MANY),
        reader.duration(LIMITS + "external-lock"),
        reader.duration(LIMITS + "overloaded-for"),
        reader.integer(LIMITS + "unconfirmed-per-node", 1, MANY),
        reader.integer(LIMITS + "confirmed-remembered", 1, MANY),
        new LimitSettings.LedgerBatch(
            reader.integer(LIMITS + "ledger-batch.transitions", 1, 1_024),
            reader.integer(LIMITS + "ledger-batch.bytes", 1, MOST_BATCH_BYTES),
            reader.wholeNumber(LIMITS + "ledger-batch.gas", 1, MOST_GAS)),
        reader.integer(LIMITS + "intent-series", 1, TransactionId.SERIES),
        reader.integer(LIMITS + "messages-kept", 1, MANY));
  }

  private static Backoff backoff(ConfigurationReader reader, String section, Backoff instead) {
    return reader.built(
        section,
        () ->
            new Backoff(
                reader.duration(section + ".initial"), reader.duration(section + ".longest")),
        instead);
  }
}
