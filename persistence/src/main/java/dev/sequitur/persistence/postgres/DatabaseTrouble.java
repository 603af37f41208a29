package dev.sequitur.persistence.postgres;

import java.sql.SQLException;
import java.util.Optional;

/** What keeps a database from being used, by the SQL state that it or the driver gives. */
public enum DatabaseTrouble {
  /** Also for who waits in vain for a connection of the pool, and is told no state at all. */
  UNREACHABLE("cannot be reached: start PostgreSQL there, or correct postgresql.url"),
  USER_REFUSED("refuses the user: correct postgresql.user and postgresql.password"),
  MISSING("does not exist: create the database"),
  FORBIDDEN("may not be changed: let the user create the schema and tables in it"),
  DISK_FULL("has no room left on its disk: free some of it, or enlarge it"),
  NO_CONNECTION("has no connection left: raise its max_connections"),
  SHORT_OF_RESOURCES("is short of memory or files: look into PostgreSQL's log"),
  READ_ONLY("takes no writes: let postgresql.url name the server that does, and no standby of it"),
  DAMAGED(
      "has found stored data damaged: stop the node, let sequitur check-store say what is damaged,"
          + " and restore the database from a copy or mend it; start the node anew when it is whole"),
  OTHER("cannot be used: look into PostgreSQL's log");

  /** The driver calls it no connection when it has no password for a server that asks for one. */
  private static final String REJECTED = "08004";

  private final String what;

  DatabaseTrouble(String what) {
    this.what = what;
  }

  /**
   * By the innermost SQL state of a failure and its causes.
   *
   * @param failure of a call of the driver, of the pool, or of {@link PostgresDatabase}
   */
  public static DatabaseTrouble of(Throwable failure) {
    return innermostState(failure).map(DatabaseTrouble::ofState).orElse(UNREACHABLE);
  }

  static Optional<String> innermostState(Throwable failure) {
    Optional<String> state = Optional.empty();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql
          && sql.getSQLState() != null
          && sql.getSQLState().length() >= 2) {
        state = Optional.of(sql.getSQLState());
      }
    }
    return state;
  }

  private static DatabaseTrouble ofState(String state) {
    return switch (state) {
      case REJECTED -> USER_REFUSED;
      case "25006" -> READ_ONLY;
      case "53100" -> DISK_FULL;
      case "53300" -> NO_CONNECTION;
      // The operating system could not read a file, or has none of that name.
      case "58030", "58P01" -> DAMAGED;
      default ->
          switch (state.substring(0, 2)) {
            case "08", "57" -> UNREACHABLE;
            case "28" -> USER_REFUSED;
            case "3D" -> MISSING;
            case "42" -> FORBIDDEN;
            case "53" -> SHORT_OF_RESOURCES;
            case "XX" -> state.equals("XX001") || state.equals("XX002") ? DAMAGED : OTHER;
            default -> OTHER;
          };
    };
  }

  /** Follows "The database": what it does, and what its operator can do. Without a full stop. */
  String what() {
    return what;
  }

  /** For an operator and for callers: names neither a server nor a user. */
  public String sentence() {
    return "The database " + what + ".";
  }
}
