echo "Welcome to your shell!"
