package dev.sequitur.node.configuration;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import dev.sequitur.protocol.text.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The reference file of a kind of process: which keys there are, what each means, and its default.
 *
 * @param open sections whose keys the operator names
 */
record Reference(String resource, Config defaults, Set<String> open) {
  static final Reference NODE =
      load(
          "node-reference.conf",
          Set.of(
              "transport.peers",
              "ledger.embedded.readers",
              "signer.identities",
              "scheduler.partitions",
              "hapi.mirror.nodes",
              "callers.roles",
              "callers.certificates.roles",
              "akka"));
  static final Reference LEDGER = load("ledger-reference.conf", Set.of("ledger.readers"));

  private static Reference load(String resource, Set<String> open) {
    var path = "dev/sequitur/node/configuration/" + resource;
    var options =
        ConfigParseOptions.defaults()
            .setAllowMissing(false)
            .setClassLoader(Reference.class.getClassLoader());
    return new Reference(path, ConfigFactory.parseResources(path, options), open);
  }

  /** A sentence for each key of {@code file} that means nothing here. */
  List<String> unknownKeys(Config file) {
    var mistakes = new ArrayList<String>();
    compare("", file.root(), defaults.root(), mistakes);
    return mistakes;
  }

  private void compare(
      String section, ConfigObject given, ConfigObject known, List<String> mistakes) {
    for (Map.Entry<String, ConfigValue> entry : given.entrySet()) {
      var key = entry.getKey();
      var path = section.isEmpty() ? ConfigUtil.joinPath(key) : section + "." + key;
      if (!known.containsKey(key)) {
        mistakes.add(unknown(section, key, entry.getValue(), known.keySet()));
      } else if (known.get(key) instanceof ConfigObject knownBelow) {
        compareBelow(path, entry.getValue(), knownBelow, mistakes);
      }
    }
  }

  private void compareBelow(
      String path, ConfigValue given, ConfigObject known, List<String> mistakes) {
    if (!(given instanceof ConfigObject below)) {
      mistakes.add(
          path
              + " ("
              + given.origin().description()
              + ") is a section, written "
              + path
              + " { ... }, not one value.");
    } else if (!open.contains(path)) {
      compare(path, below, known, mistakes);
    }
  }

  private static String unknown(String section, String key, ConfigValue value, Set<String> known) {
    var place = section.isEmpty() ? "at the top" : "in " + section;
    var advice =
        NearestName.of(key, known)
            .map(word -> "did you mean " + word + "?")
            .orElse("known there are " + String.join(", ", known.stream().sorted().toList()) + ".");
    return "There is no key '"
        + key
        + "' "
        + place
        + " ("
        + value.origin().description()
        + "): "
        + advice;
  }
}
