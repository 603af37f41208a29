package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import dev.sequitur.json.Field;
import dev.sequitur.json.Format;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.protocol.guard.MethodGroup;
import dev.sequitur.protocol.text.NearestName;
import dev.sequitur.trace.TransactionLog;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** What the log says, while the process runs. Of the whole process, so of all its nodes. */
final class LogMethods {
  private static final String ALL = "ROOT";
  private static final String OURS = "dev.sequitur";
  private static final String AS_STARTED = "DEFAULT";
  private static final List<Level> LEVELS =
      List.of(Level.OFF, Level.ERROR, Level.WARN, Level.INFO, Level.DEBUG, Level.TRACE);

  private static final List<String> WORDS = LEVELS.stream().map(Level::toString).toList();
  private static final List<String> SETTABLE =
      Stream.concat(WORDS.stream(), Stream.of(AS_STARTED)).toList();

  private static final Field<String> LOGGER =
      Field.of(
          "logger",
          Formats.TEXT,
          "whose lines: `dev.sequitur.transaction`, a class or a package of classes that have"
              + " written, or `ROOT` for all");
  private static final Field<String> LEVEL =
      Field.of(
          "level",
          Format.of(Format.among(SETTABLE).type(), Shape.among(SETTABLE), Formats.TEXT::read),
          "`DEFAULT` is the one that the process began with");

  private static final ObjectShape<Logger> LOGGER_SHAPE =
      ObjectShape.<Logger>named("Logger")
          .with("logger", Formats.TEXT, Logger::getName)
          .with("level", Shape.among(WORDS), logger -> logger.getEffectiveLevel().toString());

  /** What was set before a call first changed it; no more than there are loggers. */
  private static final Map<Logger, Optional<Level>> BEFORE = new ConcurrentHashMap<>();

  LogMethods() {
    // It can be set before the first transaction.
    LoggerFactory.getLogger(TransactionLog.NAME);
  }

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "log_levels",
            List.of(),
            LOGGER_SHAPE.list(),
            "an array of `{logger, level}`",
            "From which level on lines are written into the log: in general, and of loggers that"
                + " differ or that a call has set.",
            call -> completedFuture(levels())),
        RpcMethod.of(
            MethodGroup.OPERATE,
            "log_setLevel",
            List.of(LOGGER, LEVEL),
            LOGGER_SHAPE,
            "`{logger, level}`, as it is now",
            "Changes from which level on a logger's lines are written, in this process and until it"
                + " ends. Below INFO only those of `dev.sequitur`, which hold no contents of"
                + " transactions or states; what libraries write there may.",
            call -> completedFuture(set(call.get(LOGGER), call.get(LEVEL)))));
  }

  private static LoggerContext context() {
    return (LoggerContext) LoggerFactory.getILoggerFactory();
  }

  private static List<Logger> levels() {
    return context().getLoggerList().stream()
        .filter(logger -> logger.getLevel() != null || BEFORE.containsKey(logger))
        .toList();
  }

  private static Logger set(String name, String word) {
    // A logger that is asked for is made and never forgotten: only those that are there.
    var logger = context().exists(name);
    if (logger == null) {
      throw new RpcFailure(ErrorCode.INVALID_REQUEST, unknown(name));
    }
    if (word.equals(AS_STARTED)) {
      Optional.ofNullable(BEFORE.remove(logger))
          .ifPresent(before -> logger.setLevel(before.orElse(null)));
      return logger;
    }
    var level =
        LEVELS.stream()
            .filter(each -> each.toString().equals(word.toUpperCase(Locale.ROOT)))
            .findFirst()
            .orElseThrow(
                () ->
                    new RpcFailure(
                        ErrorCode.INVALID_REQUEST,
                        "level is %s or %s.".formatted(String.join(", ", WORDS), AS_STARTED)));
    if (Level.INFO.isGreaterOrEqual(level) && level != Level.INFO && !isOurs(name)) {
      throw new RpcFailure(
          ErrorCode.INVALID_REQUEST,
          "Below INFO only lines of dev.sequitur are written: those of libraries may hold what is"
              + " private.");
    }
    BEFORE.putIfAbsent(logger, Optional.ofNullable(logger.getLevel()));
    logger.setLevel(level);
    return logger;
  }

  private static boolean isOurs(String name) {
    return name.equals(OURS) || name.startsWith(OURS + ".");
  }

  private static String unknown(String name) {
    var known =
        Stream.concat(Stream.of(ALL), context().getLoggerList().stream().map(Logger::getName));
    return "No logger of that name has written in this process.%s"
        .formatted(
            NearestName.of(name.length() > 200 ? "" : name, known.collect(Collectors.toSet()))
                .map(near -> " Did you mean " + near + "?")
                .orElse(""));
  }
}
