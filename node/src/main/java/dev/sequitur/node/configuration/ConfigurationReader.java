package dev.sequitur.node.configuration;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import dev.sequitur.console.diagnosis.WithoutSecrets;
import dev.sequitur.links.tls.TlsFiles;
import java.math.BigInteger;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads typed values and collects what is wrong with them, so that a person hears of all mistakes
 * at once. A value that is wrong reads as the reference's default, which is never used since {@link
 * #finish} then throws. Confined to the thread that made it.
 */
final class ConfigurationReader {
  /** In place of a time. */
  private static final String FOREVER = "forever";

  /** Keys that the operator names have no default of their own. */
  private static final Config NO_DEFAULT = ConfigFactory.parseString("none = none");

  /** No chain says a larger number than these many digits hold. */
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,77}");

  private static final String AMOUNT = "a whole number of the ledger's smallest unit, in digits";

  private final Config config;
  private final Config defaults;
  private final Path directory;
  private final Optional<ConfigurationFile> file;
  private final List<String> mistakes = new ArrayList<>();

  /**
   * @param directory where relative paths start
   */
  ConfigurationReader(Reference reference, Config given, Path directory) {
    this(reference, given, directory, Optional.empty());
  }

  private ConfigurationReader(
      Reference reference, Config given, Path directory, Optional<ConfigurationFile> file) {
    this.defaults = reference.defaults();
    this.directory = directory;
    this.file = file;
    this.mistakes.addAll(reference.unknownKeys(given));
    this.config = given.withFallback(defaults);
    if (!mistakes.isEmpty()) {
      // A section that is no section would make every getter below it fail in its own words.
      finish();
    }
  }

  /**
   * @throws ConfigurationMistakes if the file cannot be read at all
   */
  static ConfigurationReader ofFile(Reference reference, Path file) {
    var files = new FilesRead(file.toAbsolutePath());
    var given = parse(file, files);
    return new ConfigurationReader(
        reference,
        given,
        directoryOf(file),
        Optional.of(new ConfigurationFile(file, files.stamps())));
  }

  static Path directoryOf(Path file) {
    var directory = file.toAbsolutePath().normalize().getParent();
    return directory == null ? file.toAbsolutePath() : directory;
  }

  static Config parse(Path file) {
    return parse(file, new FilesRead(file.toAbsolutePath()));
  }

  private static Config parse(Path file, FilesRead files) {
    if (Files.isDirectory(file)) {
      throw new ConfigurationMistakes(
          List.of(file + " is a directory: name the configuration file in it."));
    }
    if (!Files.isRegularFile(file)) {
      throw new ConfigurationMistakes(
          List.of("There is no configuration file " + file + ": check the path."));
    }
    if (!Files.isReadable(file)) {
      throw new ConfigurationMistakes(
          List.of("The configuration file " + file + " cannot be read: let this user read it."));
    }
    try {
      var options = files.noting(ConfigParseOptions.defaults().setAllowMissing(false));
      // What a file includes is looked for beside it, and a name alone is beside nothing.
      return ConfigFactory.parseFile(file.toAbsolutePath().toFile(), options).resolve();
    } catch (ConfigException e) {
      throw new ConfigurationMistakes(
          List.of("The configuration cannot be read: " + e.getMessage()));
    }
  }

  String text(String path) {
    return read(path, "a text", Config::getString);
  }

  List<String> texts(String path) {
    return read(path, "a list of texts, such as [\"one\", \"two\"]", Config::getStringList);
  }

  /** Addresses of HTTP or HTTPS servers. */
  List<URI> uris(String path) {
    var uris = new ArrayList<URI>();
    var texts = texts(path);
    for (var text : texts) {
      try {
        var uri = new URI(text);
        if (uri.getHost() == null || !Set.of("http", "https").contains(uri.getScheme())) {
          throw new URISyntaxException(text, "no address");
        }
        uris.add(uri);
      } catch (URISyntaxException e) {
        // It may hold a key.
        mistake(
            "%s has addresses such as http://127.0.0.1:8545, and the one at place %d is none."
                .formatted(path, texts.indexOf(text) + 1));
      }
    }
    return uris;
  }

  /** The address of one HTTP or HTTPS server. */
  URI uri(String path) {
    var text = text(path);
    try {
      var uri = new URI(text);
      if (uri.getHost() != null && Set.of("http", "https").contains(uri.getScheme())) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // Falls through: the sentence is the same.
    }
    wrong(path, "an address such as http://127.0.0.1:4318/v1/traces");
    return URI.create(defaults.getString(path));
  }

  /** From 0 to 1. */
  double share(String path) {
    var expected = "a number from 0 to 1";
    double value = read(path, expected, Config::getDouble);
    if (!(value >= 0 && value <= 1)) {
      wrong(path, expected);
      return defaults.getDouble(path);
    }
    return value;
  }

  boolean flag(String path) {
    return read(path, "true or false", Config::getBoolean);
  }

  int integer(String path, int least, int most) {
    return (int) wholeNumber(path, least, most);
  }

  long wholeNumber(String path, long least, long most) {
    var expected = "a whole number from " + least + " to " + most;
    long value = read(path, expected, Config::getLong);
    if (value < least || value > most) {
      wrong(path, expected);
      return defaults.getLong(path);
    }
    return value;
  }

  /**
   * Of money: a whole number from 0 to as much as a chain can say, of which a long holds little.
   */
  BigInteger amount(String path) {
    var text = read(path, AMOUNT, Config::getString);
    if (DIGITS.matcher(text).matches()) {
      return new BigInteger(text);
    }
    wrong(path, AMOUNT);
    return new BigInteger(defaults.getString(path));
  }

  /** At least a millisecond. */
  Duration duration(String path) {
    var expected = "a time of at least 1ms, such as 500ms, 2s or 5m";
    var value = read(path, expected, Config::getDuration);
    if (value.toMillis() < 1) {
      wrong(path, expected);
      return defaults.getDuration(path);
    }
    return value;
  }

  /** So many at least; empty for what is kept for ever. */
  Optional<Long> wholeNumberOrForever(String path, long least) {
    if (text(path).equals(FOREVER)) {
      return Optional.empty();
    }
    try {
      var value = config.getLong(path);
      if (value >= least) {
        return Optional.of(value);
      }
    } catch (ConfigException e) {
      // It is said below what it is.
    }
    wrong(path, "%s or a whole number of %d at least".formatted(FOREVER, least));
    return Optional.empty();
  }

  /** So much at least; empty for what is kept for ever. */
  Optional<Duration> durationOrForever(String path, Duration least) {
    if (text(path).equals(FOREVER)) {
      return Optional.empty();
    }
    try {
      var value = config.getDuration(path);
      if (value.compareTo(least) >= 0) {
        return Optional.of(value);
      }
    } catch (ConfigException e) {
      // It is said below what it is.
    }
    wrong(
        path,
        "%s or a time of at least %d minutes, such as 90d".formatted(FOREVER, least.toMinutes()));
    return Optional.empty();
  }

  <T extends Enum<T>> T oneOf(String path, Class<T> type) {
    var constants = type.getEnumConstants();
    var names = new ArrayList<String>();
    for (var constant : constants) {
      names.add(constant.name().toLowerCase(Locale.ROOT));
    }
    int found = names.indexOf(text(path));
    if (found < 0) {
      wrong(path, String.join(" or ", names));
      return constants[0];
    }
    return constants[found];
  }

  /** Required; a relative one starts at the directory of the file. */
  Path path(String path, String missing) {
    return required(path, missing, this::resolve, directory);
  }

  /** All three are required. */
  TlsFiles tlsFiles(String section, String missing) {
    return new TlsFiles(
        path(section + ".certificate", missing),
        path(section + ".private-key", missing),
        path(section + ".authority", missing));
  }

  /** One that may be left empty. */
  Optional<Path> optionalPath(String path) {
    return text(path).isBlank() ? Optional.empty() : parsed(path, this::resolve);
  }

  private Path resolve(String text) {
    try {
      return directory.resolve(text).normalize();
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("This is no path: '" + text + "'.", e);
    }
  }

  /** A value without a default: {@code missing} says what to write. */
  <T> T required(String path, String missing, Function<String, T> parse, T instead) {
    if (!config.hasPath(path)) {
      mistakes.add(path + " is missing: " + missing);
      return instead;
    }
    return parsed(path, parse).orElse(instead);
  }

  HostAndPort hostAndPort(String section) {
    var host = text(section + ".host");
    if (host.isBlank()) {
      wrong(section + ".host", "a name or an address");
      host = defaults.getString(section + ".host");
    }
    return new HostAndPort(host, integer(section + ".port", 0, 65_535));
  }

  /** The entries of a section whose keys the operator names. */
  <K, V> Map<K, V> entries(
      String section, Function<String, K> parseKey, Function<String, V> parseValue) {
    var entries = new LinkedHashMap<K, V>();
    for (var key : config.getObject(section).keySet().stream().sorted().toList()) {
      var path = section + "." + ConfigUtil.joinPath(key);
      var value = parsed(path, parseValue);
      built(path, () -> Optional.of(parseKey.apply(key)), Optional.<K>empty())
          .ifPresent(name -> value.ifPresent(present -> entries.put(name, present)));
    }
    return entries;
  }

  /** The keys of a section that the operator names. */
  List<String> keys(String section) {
    return config.getObject(section).keySet().stream().sorted().toList();
  }

  /** Whether there is a section that has none but these keys; else that is a mistake. */
  boolean isSection(String path, List<String> known) {
    if (!(config.getValue(path) instanceof ConfigObject section)) {
      mistakes.add(
          path + origin(path) + " is a section, written " + path + " { ... }, not one value.");
      return false;
    }
    section.keySet().stream()
        .filter(key -> !known.contains(key))
        .sorted()
        .forEach(
            key ->
                mistakes.add(
                    "There is no key '%s' in %s: known there are %s."
                        .formatted(key, path + origin(path), String.join(", ", known))));
    return true;
  }

  /** A list that may be left out, where there is no default. */
  List<String> textsOrNone(String path) {
    return config.hasPath(path) ? textsOf(path) : List.of();
  }

  private List<String> textsOf(String path) {
    try {
      return config.getStringList(path);
    } catch (ConfigException e) {
      wrong(path, "a list of texts, such as [\"one\", \"two\"]");
      return List.of();
    }
  }

  /** Makes a value whose constructor checks it. */
  <T> T built(String path, Supplier<T> build, T instead) {
    try {
      return build.get();
    } catch (IllegalArgumentException e) {
      mistakes.add(path + ": " + e.getMessage());
      return instead;
    }
  }

  void mistake(String sentence) {
    mistakes.add(sentence);
  }

  /** Where all of it was read; empty if nowhere. */
  Optional<ConfigurationFile> file() {
    return file;
  }

  /** All of it, as it may be shown to others. */
  String shown() {
    return WithoutSecrets.text(config);
  }

  Config section(String path) {
    return config.getConfig(path);
  }

  /**
   * @throws ConfigurationMistakes if anything was wrong
   */
  void finish() {
    if (!mistakes.isEmpty()) {
      throw new ConfigurationMistakes(mistakes);
    }
  }

  private <T> Optional<T> parsed(String path, Function<String, T> parse) {
    return built(path + origin(path), () -> Optional.of(parse.apply(text(path))), Optional.empty());
  }

  private <T> T read(String path, String expected, Getter<T> getter) {
    try {
      return getter.get(config, path);
    } catch (ConfigException.Null e) {
      mistakes.add(path + " is " + expected + ", not null.");
    } catch (ConfigException e) {
      wrong(path, expected);
    }
    return defaults.hasPath(path) ? getter.get(defaults, path) : getter.get(NO_DEFAULT, "none");
  }

  private void wrong(String path, String expected) {
    var given = WithoutSecrets.text(path, config.getValue(path));
    mistakes.add(path + origin(path) + " is " + expected + ", not " + given + ".");
  }

  private String origin(String path) {
    return config.hasPath(path) ? " (" + config.getValue(path).origin().description() + ")" : "";
  }

  /** One of {@link Config}'s getters. */
  private interface Getter<T> {
    T get(Config config, String path);
  }
}
