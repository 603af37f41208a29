package dev.sequitur.console.diagnosis;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigRenderOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;
import java.util.LinkedHashMap;
import java.util.regex.Pattern;

/**
 * A configuration as it may be shown to others. Hidden is rather too much than too little: whatever
 * stands under a key that sounds like a secret, addresses from their path on and who calls there,
 * and texts that look like keys. Whether something is set is shown all the same.
 */
public final class WithoutSecrets {
  /** Stands in the place of what is hidden. */
  public static final String HIDDEN = "(hidden)";

  private static final Pattern SECRET_KEY =
      Pattern.compile(
          "(?i).*(passw|passphrase|secret|token|credential|authorization|header|api-?key).*"
              + "|.*seed|keys?");

  /** As in {@code jdbc:postgresql://user:password@host:port/database?password=…}. */
  private static final Pattern ADDRESS =
      Pattern.compile("([a-zA-Z][a-zA-Z0-9+.:-]*://)(?:[^/?#]*@)?([^/?#@]*)(.*)", Pattern.DOTALL);

  /** As in {@code jdbc:postgresql:database?password=…}. */
  private static final Pattern SECRET_PART = Pattern.compile("(?i)(passw|secret|token)\\w*=");

  /** Hexadecimal digits, Base64, or words of a token, that are too long for a name. */
  private static final Pattern LONG_WORD = Pattern.compile("[A-Za-z0-9+_=.~-]{32,}");

  private static final Pattern CONTRACT = Pattern.compile("0x[0-9a-fA-F]{40}");

  private WithoutSecrets() {}

  /** As HOCON, with all defaults that it has been given. */
  public static String text(Config config) {
    var options = ConfigRenderOptions.defaults().setOriginComments(false).setComments(false);
    return shown("", config.root()).render(options.setJson(false));
  }

  /**
   * One value, in quotes if it is shown.
   *
   * @param path where it stands; of an address of a chain's node nothing is shown, since it may be
   *     none that can be read as one
   */
  public static String text(String path, ConfigValue value) {
    boolean isSecret =
        path.endsWith(".rpc")
            || ConfigUtil.splitPath(path).stream()
                .anyMatch(key -> SECRET_KEY.matcher(key).matches());
    return isSecret ? "what stands there " + HIDDEN : "'" + shown("", value).unwrapped() + "'";
  }

  private static ConfigValue shown(String key, ConfigValue value) {
    if (SECRET_KEY.matcher(key).matches()) {
      return isNothing(value) ? value : ConfigValueFactory.fromAnyRef(HIDDEN);
    }
    if (value instanceof ConfigObject object) {
      var fields = new LinkedHashMap<String, Object>();
      object.forEach((name, field) -> fields.put(name, shown(name, field)));
      return ConfigValueFactory.fromMap(fields);
    }
    if (value instanceof ConfigList list) {
      return ConfigValueFactory.fromIterable(
          list.stream().map(element -> shown("", element)).toList());
    }
    return value.valueType() == ConfigValueType.STRING
        ? ConfigValueFactory.fromAnyRef(shown((String) value.unwrapped()))
        : value;
  }

  private static boolean isNothing(ConfigValue value) {
    return switch (value.valueType()) {
      case NULL -> true;
      case STRING -> value.unwrapped().equals("");
      case LIST -> ((ConfigList) value).isEmpty();
      case OBJECT -> ((ConfigObject) value).isEmpty();
      case BOOLEAN, NUMBER -> false;
    };
  }

  private static String shown(String text) {
    if (text.contains("://")) {
      var address = ADDRESS.matcher(text);
      // A slash in a password would make the host end too early.
      return address.matches() && !address.group(3).contains("@")
          ? address.group(1) + address.group(2) + (address.group(3).length() > 1 ? "/…" : "")
          : HIDDEN;
    }
    boolean isKey =
        text.contains("-----BEGIN")
            || SECRET_PART.matcher(text).find()
            || LONG_WORD.matcher(text).matches();
    return isKey && !CONTRACT.matcher(text).matches() ? HIDDEN : text;
  }
}
