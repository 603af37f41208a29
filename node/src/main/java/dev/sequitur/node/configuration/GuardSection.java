package dev.sequitur.node.configuration;

import com.typesafe.config.ConfigUtil;
import dev.sequitur.links.ListenAddress;
import dev.sequitur.links.tls.ServerFiles;
import dev.sequitur.node.guard.GuardSettings;
import dev.sequitur.node.guard.GuardSettings.Audit;
import dev.sequitur.node.guard.GuardSettings.Authentication;
import dev.sequitur.node.guard.GuardSettings.JwtSettings;
import dev.sequitur.node.guard.GuardSettings.Writing;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.guard.Quota;
import dev.sequitur.protocol.guard.Role;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads {@code callers.*}, and of {@code rpc} and {@code health} who is asked who calls. */
final class GuardSection {
  /** Where tokens are kept unless the configuration says otherwise. */
  static final String TOKENS = "tokens.json";

  private static final String ROLES = "callers.roles";
  private static final int MANY = 1_000_000;

  /** Requests a second of a caller from elsewhere, where nothing is set. */
  private static final int OF_STRANGERS = 1_000;

  private static final String AUTO = "auto";
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final String JWT = "callers.jwt";
  private static final String QUOTA = "callers.quota";
  private static final String AUDIT = "callers.audit";
  private static final String CERTIFICATES = "callers.certificates";
  private static final String TLS = "rpc.tls";

  private GuardSection() {}

  /**
   * @param directory of the node's data
   * @param batch requests of the largest batch, which a quota must have room for
   */
  static GuardSettings read(ConfigurationReader reader, Path directory, int batch) {
    return new GuardSettings(
        reader.oneOf("rpc.authentication", Authentication.class),
        reader.flag("health.for-all"),
        tls(reader),
        reader.optionalPath("callers.tokens").orElse(directory.resolve(TOKENS)),
        jwt(reader),
        quota(reader, batch),
        audit(reader, directory),
        roles(reader),
        certificates(reader));
  }

  private static Optional<ServerFiles> tls(ConfigurationReader reader) {
    if (!reader.flag(TLS + ".enabled")) {
      return Optional.empty();
    }
    var missing = "the certificate is one that callers trust, for the name by which they call.";
    return Optional.of(
        new ServerFiles(
            reader.path(TLS + ".certificate", missing),
            reader.path(TLS + ".private-key", missing),
            reader.optionalPath(CERTIFICATES + ".authority")));
  }

  private static Optional<JwtSettings> jwt(ConfigurationReader reader) {
    var issuer = reader.text(JWT + ".issuer");
    var audience = reader.text(JWT + ".audience");
    var keys = reader.text(JWT + ".keys");
    var nameClaim = reader.text(JWT + ".name-claim");
    var rolesClaim = reader.text(JWT + ".roles-claim");
    var refreshEvery = reader.duration(JWT + ".refresh-every");
    var usableFor = reader.duration(JWT + ".usable-for");
    if (issuer.isBlank()) {
      return Optional.empty();
    }
    if (audience.isBlank() || keys.isBlank()) {
      reader.mistake(
          "callers.jwt.issuer is set, so callers.jwt.audience says for whom its tokens must be, and"
              + " callers.jwt.keys where its keys are.");
      return Optional.empty();
    }
    return keys(reader, keys)
        .map(
            at ->
                new JwtSettings(
                    issuer, audience, at, nameClaim, rolesClaim, refreshEvery, usableFor));
  }

  private static Optional<JwtSettings.Keys> keys(ConfigurationReader reader, String keys) {
    if (!keys.matches("https?://.*")) {
      return reader.optionalPath(JWT + ".keys").map(JwtSettings.Keys.InFile::new);
    }
    try {
      var address = new URI(keys);
      if (address.getHost() != null
          && (keys.startsWith("https:") || LOOPBACK.contains(address.getHost()))) {
        return Optional.of(new JwtSettings.Keys.At(address));
      }
    } catch (URISyntaxException e) {
      // Falls through: the sentence is the same.
    }
    reader.mistake(
        "callers.jwt.keys is a file or an address such as https://login.example/keys, not '%s': over plain HTTP others could send keys of their own."
            .formatted(keys));
    return Optional.empty();
  }

  private static Optional<Quota> quota(ConfigurationReader reader, int batch) {
    int perSecond = perSecond(reader);
    int burst = reader.integer(QUOTA + ".burst", 1, MANY);
    int inFlight = reader.integer(QUOTA + ".in-flight", 1, MANY);
    int pending = reader.integer(QUOTA + ".pending", 1, MANY);
    if (reader.text(QUOTA + ".requests-per-second").equals(AUTO)) {
      burst = Math.max(burst, batch);
    } else if (perSecond > 0 && burst < batch) {
      reader.mistake(
          "callers.quota.burst = %d is less than rpc.limits.batch-requests = %d, and a batch of so many would always be refused: raise the one, or lower the other."
              .formatted(burst, batch));
    }
    // Without a rate the others hold all the same: a rate that nobody reaches.
    return Optional.of(
        perSecond == 0
            ? new Quota(MANY, MANY, inFlight, pending)
            : new Quota(perSecond, burst, inFlight, pending));
  }

  /** Where strangers can come to the port, a caller has a rate though nobody has set one. */
  private static int perSecond(ConfigurationReader reader) {
    var key = QUOTA + ".requests-per-second";
    var text = reader.text(key);
    if (text.equals(AUTO)) {
      return ListenAddress.isBeyondLoopback(reader.text("rpc.host")) ? OF_STRANGERS : 0;
    }
    try {
      int perSecond = Integer.parseInt(text);
      if (perSecond >= 0 && perSecond <= MANY) {
        return perSecond;
      }
    } catch (NumberFormatException e) {
      // Falls through: the sentence is the same.
    }
    reader.mistake("%s is auto, or a whole number from 0 to %d.".formatted(key, MANY));
    return 0;
  }

  private static Audit audit(ConfigurationReader reader, Path directory) {
    return new Audit(
        reader.oneOf(AUDIT + ".write", Writing.class),
        reader.optionalPath(AUDIT + ".directory").orElse(directory.resolve("audit")),
        reader.wholeNumber(AUDIT + ".file-bytes", 1_024, Long.MAX_VALUE),
        reader.integer(AUDIT + ".keep-files", 0, MANY));
  }

  private static Map<String, List<String>> certificates(ConfigurationReader reader) {
    var section = CERTIFICATES + ".roles";
    var certificates = new HashMap<String, List<String>>();
    for (var name : reader.keys(section)) {
      certificates.put(name, reader.textsOrNone(section + "." + ConfigUtil.joinPath(name)));
    }
    if (!certificates.isEmpty() && reader.optionalPath(CERTIFICATES + ".authority").isEmpty()) {
      reader.mistake(
          section
              + " says what clients with certificates may do, and nobody says which are good: name who"
              + " issues them in "
              + CERTIFICATES
              + ".authority.");
    }
    return certificates;
  }

  private static Map<String, Role> roles(ConfigurationReader reader) {
    var roles = new HashMap<String, Role>();
    for (var name : reader.keys(ROLES)) {
      var path = ROLES + "." + ConfigUtil.joinPath(name);
      if (reader.isSection(path, known())) {
        roles.put(name, role(reader, path));
      }
    }
    return roles;
  }

  private static List<String> known() {
    return Stream.concat(Stream.of("methods"), Stream.of(Named.Kind.values()).map(Named.Kind::word))
        .toList();
  }

  private static Role role(ConfigurationReader reader, String path) {
    var names = new EnumMap<Named.Kind, List<String>>(Named.Kind.class);
    for (var kind : Named.Kind.values()) {
      names.put(kind, reader.textsOrNone(path + "." + kind.word()));
    }
    var methods = EnumSet.noneOf(MethodGroup.class);
    for (var word : reader.textsOrNone(path + ".methods")) {
      Stream.of(MethodGroup.values())
          .filter(group -> group.word().equals(word))
          .findFirst()
          .ifPresentOrElse(
              methods::add,
              () ->
                  reader.mistake(
                      "%s.methods has groups of methods, which are %s, and not '%s'."
                          .formatted(path, groups(), word)));
    }
    return new Role(methods, names);
  }

  private static String groups() {
    return Stream.of(MethodGroup.values()).map(MethodGroup::word).collect(Collectors.joining(", "));
  }
}
