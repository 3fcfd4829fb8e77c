# verdict WHAT STATUS LOG: counts it, and shows the end of the log where it failed. For scripts that include this.
passed=0 failed=0
verdict() {
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
        echo "ok    $1"
    else
        failed=$((failed + 1))
        echo "FAIL  $1"
        tail -n 40 "$3" | cut -c 1-200
    fi
}
