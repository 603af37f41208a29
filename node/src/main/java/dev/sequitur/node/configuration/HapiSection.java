package dev.sequitur.node.configuration;

import dev.sequitur.links.ListenAddress;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.hapi.HapiSettings;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.ConsensusTime;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.scheduler.QueueName;
import dev.sequitur.scheduler.body.ExchangeRates;
import dev.sequitur.scheduler.body.KeyText;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads {@code hapi.*}. */
final class HapiSection {
  private static final int MANY = 1_000_000;
  private static final int MOST_PORT = 65_535;
  private static final long MOST_MONEY = 5_000_000_000_000_000_000L;

  private HapiSection() {}

  static Optional<HapiSettings> read(
      ConfigurationReader reader, SchedulerConfiguration scheduler, GuardSettings guard) {
    var address = reader.hostAndPort("hapi");
    var account = reserved(reader, "hapi.account", new EntityId(3));
    var settings =
        new HapiSettings(
            address.host(),
            address.port(),
            reader.flag("hapi.tls"),
            reader.built(
                "hapi.queue", () -> new QueueName(reader.text("hapi.queue")), QueueName.DEFAULT),
            account,
            operator(reader),
            mirror(reader),
            nodes(reader),
            rates(reader),
            new HapiSettings.Limits(
                reader.integer("hapi.limits.message-bytes", 1, MANY),
                reader.integer("hapi.limits.connections", 1, MANY),
                reader.integer("hapi.limits.connections-of-address", 1, MANY),
                reader.integer("hapi.limits.calls", 1, MANY),
                reader.integer("hapi.limits.resets", 1, MANY),
                reader.integer("hapi.limits.calls-of-address", 1, MANY),
                reader.duration("hapi.timeouts.call"),
                reader.duration("hapi.timeouts.idle")));
    if (!reader.flag("hapi.enabled")) {
      return Optional.empty();
    }
    check(reader, settings, scheduler, guard);
    return Optional.of(settings);
  }

  private static EntityId reserved(ConfigurationReader reader, String at, EntityId usual) {
    var account = reader.built(at, () -> EntityId.parse(reader.text(at)), usual);
    if (account.number() < 1 || account.compareTo(EntityId.FIRST) >= 0) {
      reader.mistake(at + " is a number from 0.0.1 to 0.0.1000: queues give the others.");
    } else if (account.equals(EntityId.FEES)) {
      reader.mistake(at + " is another one than 0.0.98, to which records show fees going.");
    }
    return account;
  }

  private static OptionalInt mirror(ConfigurationReader reader) {
    int port = reader.integer("hapi.mirror.port", 0, MOST_PORT);
    return reader.flag("hapi.mirror.enabled") ? OptionalInt.of(port) : OptionalInt.empty();
  }

  private static SortedMap<EntityId, InetSocketAddress> nodes(ConfigurationReader reader) {
    return new TreeMap<>(
        reader.entries(
            "hapi.mirror.nodes",
            EntityId::parse,
            text -> {
              var address = HostAndPort.parse(text);
              return InetSocketAddress.createUnresolved(address.host(), address.port());
            }));
  }

  private static ExchangeRates rates(ConfigurationReader reader) {
    var at = "hapi.exchange-rate.";
    var from = reader.text(at + "next.from");
    var next = rate(reader, at + "next.");
    return new ExchangeRates(
        rate(reader, at),
        from.isBlank()
            ? Optional.empty()
            : reader.built(
                at + "next.from",
                () -> Optional.of(new ExchangeRates.Next(next, second(from))),
                Optional.empty()));
  }

  private static ExchangeRates.Rate rate(ConfigurationReader reader, String at) {
    return new ExchangeRates.Rate(
        reader.integer(at + "hbars", 1, MANY), reader.integer(at + "cents", 1, MANY));
  }

  private static ConsensusTime second(String text) {
    try {
      var instant = Instant.parse(text).truncatedTo(ChronoUnit.SECONDS);
      if (instant.isBefore(Instant.EPOCH) || !instant.isBefore(ConsensusTime.END)) {
        throw new IllegalArgumentException("A rate begins between 1970 and 2262.");
      }
      return ConsensusTime.of(instant);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("Write a time such as 2027-01-01T00:00:00Z.", e);
    }
  }

  private static Optional<HapiSettings.Operator> operator(ConfigurationReader reader) {
    var at = "hapi.operator.";
    var account = reserved(reader, at + "account", EntityId.TREASURY);
    long balance = reader.wholeNumber(at + "balance", 0, MOST_MONEY);
    var key = reader.text(at + "key");
    return key.isBlank()
        ? Optional.empty()
        : reader.built(
            at + "key",
            () ->
                Optional.of(
                    new HapiSettings.Operator(account, KeyText.parse(key), new Amount(balance))),
            Optional.empty());
  }

  private static void check(
      ConfigurationReader reader,
      HapiSettings settings,
      SchedulerConfiguration scheduler,
      GuardSettings guard) {
    var profile =
        scheduler.queues().family(MultiSignature.class).map(family -> family.settings().profile());
    if (!profile.equals(Optional.of(Profile.CURRENT))) {
      reader.mistake(
          "hapi.enabled serves the profile current alone: write"
              + " scheduler.multi-signature.profile = current, or leave hapi out.");
    }
    if (!settings.nodes().isEmpty() && !settings.nodes().containsKey(settings.account())) {
      reader.mistake(
          "hapi.mirror.nodes names all fronts of the queue, and lacks this one, %s: write \"%s\" = \"host:port\" in it."
              .formatted(settings.account(), settings.account()));
    }
    if (settings.operator().filter(each -> each.account().equals(settings.account())).isPresent()) {
      reader.mistake(
          "hapi.account and hapi.operator.account are two accounts: give %s to one of them."
              .formatted(settings.account()));
    }
    if (settings.tls() && guard.tls().isEmpty()) {
      reader.mistake(
          "hapi.tls shows the certificate of rpc.tls, which is not enabled: enable rpc.tls, or"
              + " write hapi.tls = false.");
    }
    if (ListenAddress.isBeyondLoopback(settings.host()) && !settings.tls()) {
      reader.mistake(
          "hapi.host = %s lets others reach it, and what they send could be read on the way: write hapi.tls = true."
              .formatted(settings.host()));
    }
  }
}
