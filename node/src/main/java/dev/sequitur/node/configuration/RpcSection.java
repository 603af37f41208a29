package dev.sequitur.node.configuration;

import dev.sequitur.node.rpc.AllowedAddresses;
import dev.sequitur.node.rpc.RpcSettings;
import dev.sequitur.node.rpc.WebhookSettings;
import java.util.Set;

/** Reads {@code rpc.*}. */
final class RpcSection {
  private static final int MANY = 1_000_000_000;
  private static final String LIMITS = "rpc.limits.";
  private static final String TIMEOUTS = "rpc.timeouts.";

  private static final String WEBHOOKS = "rpc.webhooks.";

  private RpcSection() {}

  static RpcSettings read(ConfigurationReader reader) {
    var address = reader.hostAndPort("rpc");
    var limits = limits(reader);
    var timeouts =
        reader.built("rpc.timeouts", () -> timeouts(reader), RpcSettings.Timeouts.DEFAULT);
    boolean loopbackPages = reader.flag("rpc.loopback-pages");
    var hostNames = Set.copyOf(reader.texts("rpc.host-names"));
    var origins = Set.copyOf(reader.texts("rpc.allowed-origins"));
    var settings =
        new RpcSettings(
            address.host(),
            address.port(),
            limits,
            timeouts,
            Set.of(),
            loopbackPages,
            hostNames,
            reader.flag("rpc.page"),
            reader.built("rpc.webhooks", () -> webhooks(reader), WebhookSettings.DEFAULT));
    return reader.built(
        "rpc.allowed-origins", () -> settings.withAllowedOrigins(origins), settings);
  }

  private static WebhookSettings webhooks(ConfigurationReader reader) {
    return new WebhookSettings(
        AllowedAddresses.of(reader.texts(WEBHOOKS + "allowed-addresses")),
        reader.flag(WEBHOOKS + "plain-http"),
        reader.integer(WEBHOOKS + "at-once", 1, 1_024),
        reader.integer(WEBHOOKS + "attempts", 1, 1_000),
        reader.duration(WEBHOOKS + "first-pause"),
        reader.duration(WEBHOOKS + "longest-pause"),
        reader.duration(WEBHOOKS + "timeout"));
  }

  private static RpcSettings.Limits limits(ConfigurationReader reader) {
    return new RpcSettings.Limits(
        reader.integer(LIMITS + "body-bytes", 1, MANY),
        reader.integer(LIMITS + "batch-requests", 1, MANY),
        reader.integer(LIMITS + "transactions", 1, MANY),
        reader.integer(LIMITS + "query-results", 1, MANY),
        reader.integer(LIMITS + "query-scan", 1, MANY),
        reader.integer(LIMITS + "connections", 1, MANY),
        reader.integer(LIMITS + "connections-per-address", 1, MANY),
        reader.integer(LIMITS + "subscriptions", 1, MANY),
        reader.integer(LIMITS + "listener-batch", 1, MANY),
        reader.integer(LIMITS + "answer-bytes", 1, Integer.MAX_VALUE));
  }

  private static RpcSettings.Timeouts timeouts(ConfigurationReader reader) {
    return new RpcSettings.Timeouts(
        reader.duration(TIMEOUTS + "idle"),
        reader.duration(TIMEOUTS + "head"),
        reader.duration(TIMEOUTS + "body"),
        reader.duration(TIMEOUTS + "call"),
        reader.duration(TIMEOUTS + "keep-alive"),
        reader.duration(TIMEOUTS + "receipt-poll"),
        reader.duration(TIMEOUTS + "receipt-retry"),
        reader.duration(TIMEOUTS + "stop"));
  }
}
